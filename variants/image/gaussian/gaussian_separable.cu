// Gaussian blur in two kernels, row sums and column sums.
#include "variants/image/gaussian/weighted_sums.hpp"

// separable_wide: row sums in one kernel, column sums in a second, through global memory. A thread
// has four columns, with 16-byte accesses; in the second kernel it has eight rows, so a row sum is
// read (8 + 2r) / 8 times. Separated passes: Podlozhnyuk 2007.
CAMBER_WORKLOAD_BEGIN(gaussian)

inline constexpr int separable_wide_rows = 8;  // rows per thread in the second kernel

template <int Radius, Fit fit>
CAMBER_DEVICE void separable_wide_columns(const Views<GaussianColumns>& views, int first,
                                          int column) {
    constexpr int N = pack_cells;
    constexpr int R = separable_wide_rows;
    const WideRows<GaussianColumns, 1, fit> load(views, column);
    const int last = views.rows - 1 + Radius;
    Sums<N> sums[R];
#pragma unroll
    for (int i = 0; i < R + 2 * Radius; ++i) {
        // Below the last relevant row, any row will do.
        const int row = first - Radius + i;
        float cells[N];
        load.load(row < last ? row : last, column, cells);
#pragma unroll
        for (int r = 0; r < R; ++r)
            if (i - r >= 0 && i - r <= 2 * Radius)
#pragma unroll
                for (int n = 0; n < N; ++n)
                    sums[r].sum[n] =
                        fmaf(views.parameters.weights[i - r], cells[n], sums[r].sum[n]);
    }
#pragma unroll
    for (int r = 0; r < R; ++r)
        if (first + r < views.rows)
            store_row<N, fit>(views, first + r, column, [&](int n) { return sums[r].sum[n]; });
}

template <int Radius>
__global__ void separable_wide_kernel(const Views<GaussianColumns> views, int rows) {
    const int strip = blockIdx.x * blockDim.x * pack_cells;
    const int column = strip + threadIdx.x * pack_cells;
    const int first = blockIdx.y * rows + threadIdx.y * separable_wide_rows;
    if (first >= views.rows || column >= views.columns) return;
    if (strip + static_cast<int>(blockDim.x) * pack_cells <= views.columns)
        separable_wide_columns<Radius, Fit::exact>(views, first, column);
    else
        separable_wide_columns<Radius, Fit::overhang>(views, first, column);
}

struct SeparableWide {
    static constexpr TechniqueInfo info{"separable_wide",
                                        "rows, then columns, in two kernels, four columns a thread",
                                        "after Podlozhnyuk 2007", Family::several_cells};

    template <int radius>
    static constexpr RegionKernel<GaussianColumns> kernel() {
        return separable_wide_kernel<radius>;
    }

    // Choices of both steps.
    static StepChoices steps() {
        StepChoices steps(2);
        for (const Region block : {Region{32, 8}, Region{64, 4}}) {
            const int columns = block.columns * pack_cells;
            const std::string path = block.name() + "/v4";
            steps[0].push_back(radius_plan<WideRowsOf<GaussianRows>, GaussianRows>(
                info, {.block = block,
                       .region = {columns, block.rows},
                       .elements_per_thread = pack_cells,
                       .path = path}));
            steps[1].push_back(radius_plan<SeparableWide, GaussianColumns>(
                info, {.block = block,
                       .region = {columns, block.rows * separable_wide_rows},
                       .elements_per_thread = pack_cells * separable_wide_rows,
                       .path = path}));
        }
        return steps;
    }
};

CAMBER_TARGET_END

namespace camber::gaussian {

namespace {

const Registration separable_variants([](Registry& registry) {
    add_pipelines(registry, "gaussian", ElementType::float32, target_backend, "two_kernels",
                  SeparableWide::steps());
});

}  // namespace
}  // namespace camber::gaussian
