// Gaussian blur on tensor cores: tensor_bands.
#include <cstdint>
#include <string>

#include "harness/machine/kernel/mma.hpp"
#include "variants/image/gaussian/weighted_sums.hpp"

// tensor_bands: row sums and column sums as products with band matrices of weights, on tensor
// cores. A factor of such a product has 11 significant bits (TF32). Each number is therefore split
// into two of them, and three of the four products are added: 3xTF32 (Ootomo, Yokota 2022). The
// results differ from the exact ones in the last bits of a float: GaussianWorkload::tolerance().
//
// A warp has 64 columns and moves down the board by 8 rows per step. A lane loads four adjacent
// cells per access, which are operands of the first product as loaded: its band matrix is permuted
// accordingly. The first product contains, in every lane, the row sums of two rows and two columns.
// These sums are an operand of the second product, with a permuted band matrix. It adds to five
// blocks of 8 rows of column sums in registers. No value passes through shared memory or another
// lane. Products with band matrices: Navarro et al. 2024 (CAT).
//
// The radius only affects the bands. 64 x 8 cells take 132 products of 16 x 8 by 8 x 8, or 264
// multiply-adds per cell. Expected on an H200 with 16384 x 16384 cells: 70 M products at one per
// eight cycles and scheduler take 0.53 ms (507 Gcell/s), DRAM 0.51 ms.
CAMBER_WORKLOAD_BEGIN(gaussian)

// A float as the sum of two numbers of 11 significant bits; the second one is cut off.
struct TwoParts {
    std::uint32_t high;
    std::uint32_t low;

    CAMBER_DEVICE static TwoParts of(float x) {
        TwoParts parts;
        std::uint32_t bits;
        memcpy(&bits, &x, sizeof(bits));
        parts.high = (bits + 0x1000u) & 0xffffe000u;
        float high;
        memcpy(&high, &parts.high, sizeof(high));
        const float low = x - high;
        memcpy(&parts.low, &low, sizeof(low));
        return parts;
    }
};

// Operand of N words in two parts.
template <int N>
struct SplitOperand {
    std::uint32_t high[N];
    std::uint32_t low[N];

    CAMBER_DEVICE void set(int i, float x) {
        const TwoParts parts = TwoParts::of(x);
        high[i] = parts.high;
        low[i] = parts.low;
    }
};

template <Fit fit>
class TensorBands {
  public:
    static constexpr int tiles = 4;  // of 16 columns
    static constexpr int columns = 16 * tiles;
    static constexpr int block_rows = 8;
    static constexpr int reach = largest_gaussian_radius;

    CAMBER_DEVICE TensorBands(const Views<GaussianBlur>& views, int column)
        : views_(views),
          cells_(views.input(GaussianBlur::Image{})),
          load_(views, column),
          group_(static_cast<int>(threadIdx.x) / 4),
          place_(static_cast<int>(threadIdx.x) % 4),
          column_(column) {
#pragma unroll
        for (int k = 0; k < column_steps; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i)
                along_[k].set(i, weight(16 * (k / 2) + 4 * place_ + 2 * (k % 2) + i / 2 - reach -
                                        (group_ + 8 * (i % 2))));
#pragma unroll
        for (int b = 0; b < pending; ++b)
#pragma unroll
            for (int i = 0; i < 2; ++i)
                down_[b].set(i, weight(block_rows * (b - 2) + 2 * place_ + i - group_));
    }

    // Computes rows [first, end).
    CAMBER_DEVICE void run(int first, int end) const {
        float sums[tiles][pending][4] = {};  // of five blocks of rows; the first is complete next
        Quads next;
        load(first - reach, next);
#pragma unroll 1
        for (int row = first - reach; row < end + reach; row += block_rows) {
            const Quads cells = next;
            if (row + block_rows < end + reach) load(row + block_rows, next);
            float row_sums[tiles][4] = {};
            add_rows(cells, row_sums);
#pragma unroll
            for (int tile = 0; tile < tiles; ++tile) add_columns(row_sums[tile], sums[tile]);
            if (row - reach >= first) store(row - reach, end, sums);
#pragma unroll
            for (int tile = 0; tile < tiles; ++tile) go_down(sums[tile]);
        }
    }

  private:
    static constexpr int pending = 5;       // blocks of rows within the reach of a block
    static constexpr int chunks = tiles + 2;  // of 16 loaded columns
    static constexpr int column_steps = 6;  // products for the 48 columns around a tile
    struct Quads {
        float cell[chunks][4];
    };

    CAMBER_DEVICE float weight(int distance) const {
        const GaussianWeights& weights = views_.parameters;
        const bool within = distance >= -weights.radius && distance <= weights.radius;
        return within ? weights.weights[within ? weights.radius + distance : 0] : 0.0f;
    }

    CAMBER_DEVICE void load(int first, Quads& quads, Site site = Site::current()) const {
        const CallPath path(site);
        const int row = first + group_;
        const bool exists = row < views_.rows + cells_.halo();
#pragma unroll
        for (int chunk = 0; chunk < chunks; ++chunk) {
            const int column = column_ + 16 * (chunk - 1) + 4 * place_;
            load_.load(row, column, quads.cell[chunk], exists);
        }
    }

    // Adds the products of cells and weights along the rows, the small ones first.
    CAMBER_DEVICE void add_rows(const Quads& cells, float (&sums)[tiles][4]) const {
#pragma unroll
        for (int chunk = 0; chunk < chunks; ++chunk)
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                SplitOperand<2> operand;
                operand.set(0, cells.cell[chunk][2 * half]);
                operand.set(1, cells.cell[chunk][2 * half + 1]);
#pragma unroll
                for (int term = 0; term < 3; ++term)
#pragma unroll
                    for (int tile = 0; tile < tiles; ++tile) {
                        const int beside = chunk - tile;
                        if (beside < 0 || beside > 2) continue;
                        const SplitOperand<4>& band = along_[2 * beside + half];
                        multiply_add(sums[tile], term == 0 ? band.low : band.high,
                                     term == 1 ? operand.low : operand.high);
                    }
            }
    }

    // Adds the products of a block's row sums and weights to the column sums of five blocks.
    CAMBER_DEVICE void add_columns(const float (&rows)[4], float (&sums)[pending][4]) const {
        SplitOperand<4> operand;
        operand.set(0, rows[0]);
        operand.set(1, rows[2]);
        operand.set(2, rows[1]);
        operand.set(3, rows[3]);
#pragma unroll
        for (int term = 0; term < 3; ++term)
#pragma unroll
            for (int b = 0; b < pending; ++b)
                multiply_add(sums[pending - 1 - b], term == 1 ? operand.low : operand.high,
                             term == 0 ? down_[b].low : down_[b].high);
    }

    CAMBER_DEVICE static void go_down(float (&sums)[pending][4]) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
#pragma unroll
            for (int b = 0; b < pending - 1; ++b) sums[b][i] = sums[b + 1][i];
            sums[pending - 1][i] = 0.0f;
        }
    }

    CAMBER_DEVICE void store(int first, int end, const float (&sums)[tiles][pending][4]) const {
        const auto window = get<0>(views_.outputs).window(first + 2 * place_, column_ + group_);
        const Site site = Site::current();
#pragma unroll
        for (int tile = 0; tile < tiles; ++tile)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int column = 16 * tile + 8 * (i / 2);
                if (first + 2 * place_ + i % 2 < end &&
                    (fit == Fit::exact || column_ + group_ + column < views_.columns))
                    window(i % 2, column, site) = sums[tile][0][i];
                else
                    skip(site);
            }
    }

    const Views<GaussianBlur>& views_;
    const InputGrid<GaussianBlur::Image>& cells_;
    WideRows<GaussianBlur, reach, fit> load_;
    int group_;
    int place_;
    int column_;
    SplitOperand<4> along_[column_steps];
    SplitOperand<2> down_[pending];
};

inline constexpr int tensor_warps = 4;

// Launch bound: two blocks per SM, so that a thread has 255 registers.
__global__ void __launch_bounds__(32 * tensor_warps, 2)
    tensor_bands_kernel(const Views<GaussianBlur> views, const int rows) {
    constexpr int columns = TensorBands<Fit::exact>::columns;
    const int column = (blockIdx.x * blockDim.y + threadIdx.y) * columns;
    const int first = blockIdx.y * rows;
    const int end = first + rows < views.rows ? first + rows : views.rows;
    if (column >= views.columns) return;
    if (column + columns <= views.columns)
        TensorBands<Fit::exact>(views, column).run(first, end);
    else
        TensorBands<Fit::overhang>(views, column).run(first, end);
}

class TensorBandsStage final : public RuleStage<GaussianBlur> {
  public:
    TensorBandsStage(const StageContext& context, const Shape& shape)
        : RuleStage<GaussianBlur>(context),
          shape_(covering(context.problem.size, shape)),
          rows_(shape.region.rows) {
        require(queue(), {multiply_add_capability, "tensor cores that multiply floats"});
    }

    void enqueue(int number) override {
        launch(queue(), "stencil", shape_, tensor_bands_kernel, views(number), rows_);
    }

  private:
    LaunchShape shape_;
    int rows_;
};

struct TensorBandsTechnique {
    static constexpr TechniqueInfo info{
        "tensor_bands", "sums as products with band matrices on tensor cores, in 3xTF32",
        "after Navarro et al. 2024 (CAT) and Ootomo, Yokota 2022", Family::register_streaming};

    static void add(Catalogue<GaussianBlur>& catalogue) {
        for (const int rows : {128, 1024}) {
            constexpr int columns = tensor_warps * TensorBands<Fit::exact>::columns;
            StepPlan plan = Catalogue<GaussianBlur>::plan_of(
                info, {.block = {32, tensor_warps},
                       .region = {columns, rows},
                       .halo = largest_gaussian_radius,
                       .alignment = 128,
                       .elements_per_thread = columns * rows / (32 * tensor_warps),
                       .path = "32x4/r" + std::to_string(rows)});
            plan.arithmetic = Arithmetic::rounded;
            plan.stand_in = {"halo", "64x4", 128};
            plan.make = StageMaker(makes<TensorBandsStage>(plan.shape), largest_gaussian_radius);
            catalogue.add(std::move(plan));
        }
    }
};

CAMBER_TARGET_END

namespace camber::gaussian {

namespace {

const Registration tensor([](Registry& registry) {
    Catalogue<GaussianBlur> catalogue(registry, "gaussian", ElementType::float32);
    TensorBandsTechnique::add(catalogue);
});

}  // namespace
}  // namespace camber::gaussian
