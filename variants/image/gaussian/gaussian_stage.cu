// Gaussian blur in one kernel, with staging in shared memory (separable_stage), and by threads that go
// down the rows with their sums in registers.
#include "variants/image/gaussian/weighted_stream.hpp"
#include "variants/image/gaussian/weighted_sums.hpp"

// separable_stage: rows, then columns, in one kernel. The block stages its cells and their halo in
// shared memory, sums them along the rows into a second tile, and sums that tile down its columns.
// A thread computes eight sums at a time, so a value in shared memory is read (8 + 2r) / 8 times
// per pass instead of 2r + 1 times. After Podlozhnyuk 2007, who uses one kernel per pass.
CAMBER_WORKLOAD_BEGIN(gaussian)

template <int Radius>
class StagedBlock {
  public:
    static constexpr int columns = 64;
    static constexpr int rows = 32;
    static constexpr int threads_x = 32;
    static constexpr int threads_y = 8;
    static constexpr int height = rows + 2 * Radius;
    // The row pitch is an odd number of words, so that lanes in the same column of different rows
    // access different banks.
    static constexpr int width = columns + 2 * Radius;
    using Cells = Tile<float, height, width + 1>;
    using RowSums = Tile<float, height, columns + 1>;
    static constexpr std::size_t bytes = sizeof(float) * height * (width + columns + 2);

    CAMBER_DEVICE explicit StagedBlock(const Views<GaussianBlur>& views)
        : views_(views),
          first_row_(blockIdx.y * rows),
          first_column_(blockIdx.x * columns),
          thread_(threadIdx.y * threads_x + threadIdx.x) {}

    // Each warp loads one row after another.
    CAMBER_DEVICE void load(Cells& cells) const {
        const Loader<Fit::overhang, GaussianBlur, GaussianBlur::Image> load(
            views_, {}, first_row_ - Radius, first_column_ - Radius);
        const Site from = Site::current();
        const Site to = Site::current();
        for (int row = threadIdx.y; row < height; row += threads_y)
            for (int left = 0; left < width; left += threads_x) {
                const int column = left + threadIdx.x;
                if (column < width) {
                    cells(row, column, to) = load(row, column, from);
                } else {
                    skip(from);
                    skip(to);
                }
            }
    }

    CAMBER_DEVICE void add_rows(const Cells& cells, RowSums& row_sums) const {
        for (int i = thread_; i < height * (columns / N); i += threads_x * threads_y) {
            const int row = i % height;
            const int column = i / height * N;
            const Sums<N> sums = weighted_sums<Radius, N>(
                views_.parameters, [&](int d) { return cells(row, column + d); });
#pragma unroll
            for (int n = 0; n < N; ++n) row_sums(row, column + n) = sums.sum[n];
        }
    }

    CAMBER_DEVICE void add_columns(const RowSums& row_sums) const {
        constexpr int stretches = rows / N;
        for (int i = thread_; i < columns * stretches; i += threads_x * threads_y) {
            const int column = i % columns;
            const int row = i / columns * N;
            const Sums<N> sums = weighted_sums<Radius, N>(
                views_.parameters, [&](int d) { return row_sums(row + d, column); });
#pragma unroll
            for (int n = 0; n < N; ++n)
                if (on_board<Fit::overhang>(views_, first_row_ + row + n, first_column_ + column))
                    store(views_, first_row_ + row + n, first_column_ + column, sums.sum[n]);
        }
    }

  private:
    static constexpr int N = 8;
    static_assert(rows % N == 0 && columns % N == 0);

    const Views<GaussianBlur>& views_;
    int first_row_;
    int first_column_;
    int thread_;
};

template <int Radius>
__global__ void separable_stage_kernel(const Views<GaussianBlur> views, int /*rows*/) {
    using Block = StagedBlock<Radius>;
    __shared__ typename Block::Cells cells;
    __shared__ typename Block::RowSums row_sums;
    const Block block(views);
    block.load(cells);
    __syncthreads();
    block.add_rows(cells, row_sums);
    __syncthreads();
    block.add_columns(row_sums);
}

struct SeparableStage {
    static constexpr TechniqueInfo info{"separable_stage",
                                        "rows, then columns, in one kernel through shared memory",
                                        "after Podlozhnyuk 2007", Family::shared_memory};

    template <int radius>
    static constexpr RegionKernel<GaussianBlur> kernel() {
        return separable_stage_kernel<radius>;
    }

    static void add(Catalogue<GaussianBlur>& catalogue) {
        using Largest = StagedBlock<largest_gaussian_radius>;
        constexpr Region region{Largest::columns, Largest::rows};
        catalogue.add(radius_plan<SeparableStage, GaussianBlur>(
            info, {.block = {Largest::threads_x, Largest::threads_y},
                   .region = region,
                   .elements_per_thread =
                       Largest::columns * Largest::rows / (Largest::threads_x * Largest::threads_y),
                   .shared_bytes = Largest::bytes,
                   .path = region.name()}));
    }
};

CAMBER_TARGET_END

namespace camber::gaussian {

namespace {

const Registration stage_and_stream([](Registry& registry) {
    Catalogue<GaussianBlur> catalogue(registry, "gaussian", ElementType::float32);
    SeparableStage::add(catalogue);
    WeightedStreamOf<float>::add(catalogue);
});

}  // namespace
}  // namespace camber::gaussian
