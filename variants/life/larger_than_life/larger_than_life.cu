// Larger than Life over the whole square, in techniques that take the radius at run time, and by
// separate sums of columns and rows in shared memory.
#include "variants/life/larger_than_life/byte_words.hpp"
#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/row_window.hpp"
#include "variants/techniques/any_radius.hpp"

// separable_tile: the sum of a square as a sum of column sums. The block stages its cells and their
// halo in shared memory, sums the columns into a second tile, four of them per 32-bit addition, and
// then sums along its rows. Each sum follows from the previous one by adding the entering cell and
// subtracting the leaving one (running sum, as in box filters: McDonnell 1981). A cell costs about
// five shared memory reads at any radius.
CAMBER_WORKLOAD_BEGIN(larger_than_life)

template <int Columns, int Rows>
class SeparableBlock {
  public:
    static constexpr int threads_x = 32;
    static constexpr int threads_y = 8;
    static constexpr int threads = threads_x * threads_y;
    // Words per row of the tile, which is extended by the largest radius on both sides: at any
    // radius, all four columns of a word are inside or all are outside.
    static constexpr int words = (Columns + 2 * largest_radius) / 4;
    static constexpr int height = Rows + 2 * largest_radius;
    using Cells = Tile<std::uint32_t, height, words>;
    using Sums = Tile<std::uint32_t, Rows, words>;
    static constexpr std::size_t bytes = 4 * words * (height + Rows);

    CAMBER_DEVICE explicit SeparableBlock(const Views<LargerThanLife>& views)
        : views_(views),
          radius_(views.parameters.radius),
          first_row_(blockIdx.y * Rows),
          first_column_(blockIdx.x * Columns),
          thread_(threadIdx.y * threads_x + threadIdx.x) {}

    // Loads the tile. Its rows count from the board's row first_row_ - radius_.
    CAMBER_DEVICE void load(Cells& cells) const {
        const int rows = Rows + 2 * radius_;
        for (int i = thread_; i < rows * words; i += threads) {
            const int row = i / words;
            const int word = i % words;
            const WordLoader<1, Fit::overhang> load(views_,
                                                    first_column_ - largest_radius + 4 * word);
            cells(row, word) = load(first_row_ - radius_ + row).word[0];
        }
    }

    // Sums columns: each thread moves down `Stretch` rows of a word's columns. A column has at most
    // 33 live cells.
    CAMBER_DEVICE void add_columns(const Cells& cells, Sums& sums) const {
        constexpr int stretches = Rows / stretch;
        for (int i = thread_; i < words * stretches; i += threads) {
            const int word = i % words;
            const int first = i / words * stretch;
            std::uint32_t sum = 0;
            for (int d = 0; d < 2 * radius_; ++d) sum += cells(first + d, word);
            for (int row = first; row < first + stretch; ++row) {
                sum += cells(row + 2 * radius_, word);
                sums(row, word) = sum;
                sum -= cells(row, word);
            }
        }
    }

    // Sums rows: each thread moves along eight columns of a row.
    CAMBER_DEVICE void add_rows(const Cells& cells, const Sums& sums) const {
        constexpr int packs = Columns / N;
        for (int i = thread_; i < Rows * packs; i += threads) {
            const int row = i / packs;
            const int column = i % packs * N;
            int living = left_square(sums, row, column);
            Pack<std::uint8_t, N> next;
#pragma unroll
            for (int c = 0; c < N; ++c) {
                const int center = largest_radius + column + c;
                living += byte_of(sums, row, center + radius_);
                const int self = byte_of(cells, row + radius_, center);
                next[c] = LargerThanLife::next_of(living, self, views_.parameters);
                living -= byte_of(sums, row, center - radius_);
            }
            store_row<N, Fit::overhang>(views_, first_row_ + row, first_column_ + column,
                                        [&](int c) { return next[c]; });
        }
    }

  private:
    static constexpr int N = 8;
    static constexpr int stretch = 16;
    static_assert(Rows % stretch == 0 && Columns % N == 0);

    // Sum of all columns of a cell's square except the last.
    CAMBER_DEVICE int left_square(const Sums& sums, int row, int column) const {
        const int first = largest_radius + column - radius_;
        int living = 0;
        for (int d = 0; d < 2 * radius_; ++d) living += byte_of(sums, row, first + d);
        return living;
    }
    template <class AnyTile>
    CAMBER_DEVICE static int byte_of(const AnyTile& tile, int row, int column,
                                     Site site = Site::current()) {
        const std::uint32_t word = tile(row, column / 4, site);
        return static_cast<int>(word >> 8 * (column % 4) & 0xff);
    }

    const Views<LargerThanLife>& views_;
    int radius_;
    int first_row_;
    int first_column_;
    int thread_;
};

template <int Columns, int Rows>
__global__ void separable_tile_kernel(const Views<LargerThanLife> views) {
    using Block = SeparableBlock<Columns, Rows>;
    __shared__ typename Block::Cells cells;
    __shared__ typename Block::Sums sums;
    const Block block(views);
    block.load(cells);
    __syncthreads();
    block.add_columns(cells, sums);
    __syncthreads();
    block.add_rows(cells, sums);
}

struct SeparableTile {
    static constexpr TechniqueInfo info{
        "separable_tile", "columns added in shared memory, then rows: running sums, any radius",
        "after McDonnell 1981 (running sums of box filters)", Family::shared_memory};

    static void add(Catalogue<LargerThanLife>& catalogue) {
        catalogue.add(info, variant<64, 32>());
        catalogue.add(info, variant<128, 32>());
        catalogue.add(info, variant<128, 64>());
    }

  private:
    template <int Columns, int Rows>
    static StencilVariant<LargerThanLife> variant() {
        using Block = SeparableBlock<Columns, Rows>;
        constexpr Region region{Columns, Rows};
        return {.shape = {.block = {Block::threads_x, Block::threads_y},
                          .region = region,
                          .halo = largest_radius,
                          .alignment = 128,
                          .elements_per_thread = Columns * Rows / Block::threads,
                          .shared_bytes = Block::bytes,
                          .path = region.name()},
                .kernel = {separable_tile_kernel<Columns, Rows>},
                .stand_in = {"halo", "64x4", 128}};
    }
};

CAMBER_TARGET_END

namespace camber::larger_than_life {

namespace {

constexpr const char* workload = "larger_than_life";

const Registration larger_than_life_variants([](Registry& registry) {
    Catalogue<LargerThanLife> catalogue(registry, workload, ElementType::uint8);
    add_any_radius(registry, workload, catalogue);
    SeparableTile::add(catalogue);
});

}  // namespace
}  // namespace camber::larger_than_life
