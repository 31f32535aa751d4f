// Sums of Larger than Life as products with band matrices on tensor cores, for kernels that load
// their cells in different ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/machine/kernel/mma.hpp"
#include "variants/life/larger_than_life/byte_words.hpp"
#include "variants/stencil/catalogue.hpp"

// Sums of squares as matrix products. A band matrix has ones where row and column
// differ by at most the radius. Then (band x cells) contains the column sums, and (band x cells x
// band) the sums of squares; all are integers, so they are exact. After CAT (Navarro et al. 2024),
// which uses half-precision cells and passes fragments through shared memory.
//
// Here, no cell passes through shared memory, because the order of a sum's terms is arbitrary.
// Shared memory contains only the bands: 64 words per lane, which in registers left room for only
// three blocks per SM, whose warps were stalled most of the time (H200: 44 % of issue slots used).
// A warp has 64 columns. The first product reads cells in the layout in which they are loaded; the
// band matrix is permuted accordingly. Its result contains, in every lane, rows of one column.
// Packed to bytes (a column sum is at most 33), they are an operand of the second product, with a
// row order for which its band matrix is permuted, too. The columns of the first product are chosen
// so that finally every lane has sixteen adjacent cells of a row.
CAMBER_WORKLOAD_BEGIN(larger_than_life)

struct BandProducts {
    PackedRule rule;
    int radius = 0;
    int rows = 0;  // rows per warp
};

// Four entries of a band matrix: 1 if `first` (and the three following numbers) differs from
// `center` by at most `radius`.
CAMBER_DEVICE std::uint32_t band_word(int first, int center, int radius) {
    std::uint32_t word = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int distance = first + i - center;
        word |= (distance <= radius && -distance <= radius ? 1u : 0u) << 8 * i;
    }
    return word;
}

// Division of a warp's 64 columns, and of the rows of a step, for the products. As the fragments
// require, a lane has four cells of the rows or columns of a group of eight lanes.
struct BandShape {
    static constexpr int columns = 64;
    static constexpr int rows = 32;  // rows per step
    static constexpr int column_tiles = columns / 16;
    static constexpr int column_blocks = columns / 8;
    static constexpr int column_steps = (columns + 2 * largest_radius) / 32;
    static constexpr int row_tiles = rows / 16;
    static constexpr int row_blocks = rows / 8;
    static constexpr int row_steps = 2;

    CAMBER_DEVICE static int group() { return threadIdx.x % 32u / 4u; }
    CAMBER_DEVICE static int place() { return threadIdx.x % 4u; }
    // Loaded column at which the lane's eight cells of step k begin. Step 0 loads the columns
    // beside the warp's own; four lanes then access as few memory sectors as possible. The other
    // steps have the two halves of sixteen own columns, which one access loads.
    CAMBER_DEVICE static int loaded_column(int k) {
        if (k > 0) return largest_radius + 16 * place() + 8 * (k - 1);
        return 8 * place() + (place() < 2 ? 0 : columns);
    }
    // Column at position n in a block of eight: pairs of columns in the lanes that store them.
    CAMBER_DEVICE static int column_of(int block, int n) {
        return 16 * (n / 2) + 2 * block + n % 2;
    }
};

// Lanes' fragments of the band matrices, in shared memory: they are equal for all warps, and too
// large for registers in addition to the cells in flight.
class Bands : BandShape {
    struct alignas(16) Part {
        std::uint32_t word[4];
    };
    static constexpr int along_parts = column_tiles * column_steps;
    static constexpr int parts = along_parts + row_tiles * row_steps;

  public:
    using Storage = Tile<Part, parts, 32>;
    static constexpr std::size_t bytes = sizeof(Part) * parts * 32;

    CAMBER_DEVICE explicit Bands(Storage& storage) : storage_(storage) {}

    // Called by all threads of the block; a barrier must follow.
    CAMBER_DEVICE void fill(int radius) const {
        const int warps = blockDim.y;
        for (int part = threadIdx.y; part < parts; part += warps) {
            Part values;
#pragma unroll
            for (int i = 0; i < 4; ++i)
                values.word[i] = part < along_parts
                                     ? along(part / column_steps, part % column_steps, i, radius)
                                     : down((part - along_parts) / row_steps,
                                            (part - along_parts) % row_steps, i, radius);
            storage_(part, threadIdx.x) = values;
        }
    }

    // Fragment for sums along rows: columns [16 tile, 16 tile + 16) of the result, from the k-th 32
    // loaded columns.
    CAMBER_DEVICE Part along(int tile, int k, Site site = Site::current()) const {
        return storage_(tile * column_steps + k, threadIdx.x, site);
    }
    // Fragment for sums down columns: rows [16 tile, 16 tile + 16) of the result, from the k-th 32
    // rows.
    CAMBER_DEVICE Part down(int tile, int k, Site site = Site::current()) const {
        return storage_(along_parts + tile * row_steps + k, threadIdx.x, site);
    }

  private:
    CAMBER_DEVICE static std::uint32_t along(int tile, int k, int i, int radius) {
        return band_word(loaded_column(k) + 4 * (i / 2),
                         largest_radius + column_of(2 * tile + i % 2, group()), radius);
    }
    // Two rows of one block of eight, then two of the next.
    CAMBER_DEVICE static std::uint32_t down(int tile, int k, int i, int radius) {
        const int first = 32 * k + 16 * (i / 2) + 2 * place();
        const int center = largest_radius + 16 * tile + 8 * (i % 2) + group();
        return (band_word(first, center, radius) & 0xffffu) | band_word(first + 8, center, radius)
                                                                  << 16;
    }

    Storage& storage_;
};

// Cells that every lane loads itself.
template <Fit fit>
class LoadedCells : BandShape {
  public:
    CAMBER_DEVICE LoadedCells(const Views<LargerThanLife>& views, int column)
        : views_(views), column_(column) {}

    // Loads the lane's cells of rows [first, first + 32), and those of its own columns once more.
    CAMBER_DEVICE void take(int first, Words<2> (&cells)[row_blocks][column_steps],
                            Words<4> (&own)[row_blocks]) const {
        const WordLoader<2, fit> load_beside(views_, column_ - largest_radius + loaded_column(0));
        const WordLoader<4, fit> load_own(views_, column_ + 16 * place());
#pragma unroll
        for (int block = 0; block < row_blocks; ++block) {
            const int row = first + 8 * block + group();
            cells[block][0] = load_beside.up_to_last_row(row);
            own[block] = load_own.up_to_last_row(row);
            cells[block][1] = {own[block].word[0], own[block].word[1]};
            cells[block][2] = {own[block].word[2], own[block].word[3]};
        }
    }

  private:
    const Views<LargerThanLife>& views_;
    int column_;
};

// Rows of a warp. `Cells` provides the cells of 32 rows after another.
template <Fit fit, class Cells>
class BandProductsWarp : BandShape {
  public:
    using BandShape::columns;

    CAMBER_DEVICE BandProductsWarp(const Views<LargerThanLife>& views, const BandProducts& with,
                                   const Bands& bands, int column, Cells& cells)
        : views_(views), with_(with), bands_(bands), column_(column), cells_(cells) {}

    // Computes rows [first, end).
    CAMBER_DEVICE void run(int first, int end) const {
        Sums above;
        Words<4> own[row_blocks];  // own cells of the rows whose sums were computed last
        row_sums(first - largest_radius, above, own);
#pragma unroll 1
        for (int row = first; row < end; row += rows) {
            // Synchronizing here prevents the compiler from keeping all bands in registers.
            __syncwarp();
            Sums below;
            const Words<4> upper[2] = {own[2], own[3]};
            row_sums(row + largest_radius, below, own);
            const Words<4> lower[2] = {own[0], own[1]};
            next_rows(above, below, 0, row, end, upper);
            next_rows(above, below, 1, row + 16, end, lower);
            above = below;
        }
    }

  private:
    // Sums along 32 rows, with one column per block of columns. The row order is 0, 1, 8, 9, 16,
    // 17, 24, 25, starting at twice the lane's index.
    struct Sums {
        std::uint32_t word[column_blocks][2];
    };

    // Computes sums for rows [first, first + 32), and loads the lane's own cells of these rows.
    // All cells are loaded before the first product.
    CAMBER_DEVICE void row_sums(int first, Sums& sums, Words<4> (&own)[row_blocks]) const {
        Words<2> cells[row_blocks][column_steps];
        cells_.take(first, cells, own);
#pragma unroll
        for (int tile = 0; tile < column_tiles; ++tile) {
            std::uint32_t products[row_blocks][4] = {};
#pragma unroll
            for (int k = 0; k < column_steps; ++k) {
                const auto band = bands_.along(tile, k);
#pragma unroll
                for (int block = 0; block < row_blocks; ++block)
                    multiply_add(products[block], band.word, cells[block][k].word);
            }
#pragma unroll
            for (int half = 0; half < 2; ++half)
#pragma unroll
                for (int block = 0; block < row_blocks; ++block) {
                    std::uint32_t& word = sums.word[2 * tile + half][block / 2];
                    const std::uint32_t* const product = products[block] + 2 * half;
                    const std::uint32_t pair = product[1] * 256u + product[0];
                    word = block % 2 == 0 ? pair : pair * 65536u + word;
                }
        }
    }

    // Computes rows [first, first + 16); the lane has sixteen cells of two of them, `selves`.
    CAMBER_DEVICE void next_rows(const Sums& above, const Sums& below, int tile, int first, int end,
                                 const Words<4> (&selves)[2]) const {
        const int column = column_ + 16 * place();
        const auto band_above = bands_.down(tile, 0);
        const auto band_below = bands_.down(tile, 1);
        Words<4> next[2];
#pragma unroll
        for (int w = 0; w < 4; ++w) {
            std::uint32_t squares[2][4];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
#pragma unroll
                for (int s = 0; s < 4; ++s) squares[i][s] = with_.rule.offset & 0xffffu;
                multiply_add(squares[i], band_above.word, above.word[2 * w + i]);
                multiply_add(squares[i], band_below.word, below.word[2 * w + i]);
            }
#pragma unroll
            for (int half = 0; half < 2; ++half)
                next[half].word[w] =
                    with_.rule.next_of(squares[1][2 * half] * 65536u + squares[0][2 * half],
                                       squares[1][2 * half + 1] * 65536u + squares[0][2 * half + 1],
                                       selves[half].word[w]);
        }
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int row = first + 8 * half + group();
            store_words<4, fit>(row < end, views_, row, column, next[half]);
        }
    }

    const Views<LargerThanLife>& views_;
    const BandProducts& with_;
    const Bands& bands_;
    int column_;
    Cells& cells_;
};

// `kernel`: for blocks of 32 x 4 threads, each warp of which has 64 columns and `with.rows` rows.
class BandProductsStage final : public RuleStage<LargerThanLife> {
  public:
    using Kernel = void (*)(const Views<LargerThanLife>, const BandProducts);

    BandProductsStage(const StageContext& context, const Shape& shape, Kernel kernel,
                      const Capability& needs)
        : RuleStage<LargerThanLife>(context),
          shape_(covering(context.problem.size, shape)),
          kernel_(kernel) {
        require(queue(), needs);
        const auto rule = LargerThanLife::parameters(context.problem.parameters);
        with_ = {PackedRule::of(rule), rule.radius, shape.region.rows};
    }

    void enqueue(int number) override {
        launch(queue(), "stencil", shape_, kernel_, views(number), with_);
    }

  private:
    LaunchShape shape_;
    Kernel kernel_;
    BandProducts with_;
};

// Plan of such a stage with `rows` rows per warp. `more`: end of the variant's path.
inline StepPlan band_products_plan(const TechniqueInfo& info, int rows, const std::string& more,
                                   BandProductsStage::Kernel kernel, std::size_t shared_bytes,
                                   const Capability& needs) {
    constexpr int warps = 4;
    StepPlan plan =
        Catalogue<LargerThanLife>::plan_of(info, {.block = {32, warps},
                                                  .region = {warps * BandShape::columns, rows},
                                                  .halo = largest_radius,
                                                  .alignment = 128,
                                                  .elements_per_thread = 2 * rows,
                                                  .shared_bytes = shared_bytes,
                                                  .path = "32x4/r" + std::to_string(rows) + more});
    plan.stand_in = {"halo", "64x4", 128};
    plan.make = StageMaker(makes<BandProductsStage>(plan.shape, kernel, needs), largest_radius);
    return plan;
}

CAMBER_TARGET_END
