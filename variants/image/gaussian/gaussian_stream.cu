// Gaussian blur by threads that go down the rows with their sums in registers.
#include <string>

#include "variants/image/gaussian/weighted_sums.hpp"

// weighted_stream: a thread moves down four columns of a stretch of the board. It sums each
// incoming row from global memory and adds that sum to the sums of the 2r+1 rows that it affects,
// which stay in registers. Each sum moves up by one register in its own multiply-add, so no value
// is copied. No shared memory, and 2 * (2r+1) multiply-adds per cell, plus the 2r rows around the
// stretch. Registers instead of a sliding tile: Micikevicius 2009.
CAMBER_WORKLOAD_BEGIN(gaussian)

// Computes rows [first, end).
template <int Radius, Fit fit>
CAMBER_DEVICE void stream_down(const Views<GaussianBlur>& views, int column, int first, int end) {
    constexpr int N = pack_cells;
    constexpr int pending = 2 * Radius;  // rows with incomplete sums
    const auto& weights = views.parameters.weights;
    const WideRows<GaussianBlur, Radius, fit> row_sums(views, column);
    Sums<N> sums[pending];  // the row that is complete next comes first
#pragma unroll 1
    for (int row = first - Radius; row < end + Radius; ++row) {
        const Sums<N> own = row_sums(row);
        Sums<N> complete;
#pragma unroll
        for (int n = 0; n < N; ++n) {
            complete.sum[n] = fmaf(weights[pending], own.sum[n], sums[0].sum[n]);
#pragma unroll
            for (int i = 0; i < pending - 1; ++i)
                sums[i].sum[n] = fmaf(weights[pending - 1 - i], own.sum[n], sums[i + 1].sum[n]);
            sums[pending - 1].sum[n] = fmaf(weights[0], own.sum[n], 0.0f);
        }
        if (row - Radius >= first)
            store_row<N, fit>(views, row - Radius, column, [&](int n) { return complete.sum[n]; });
    }
}

template <int Radius>
__global__ void weighted_stream_kernel(const Views<GaussianBlur> views, int rows) {
    const int strip = blockIdx.x * blockDim.x * pack_cells;
    const int column = strip + threadIdx.x * pack_cells;
    if (column >= views.columns) return;
    const int first = blockIdx.y * rows;
    const int end = first + rows < views.rows ? first + rows : views.rows;
    if (strip + static_cast<int>(blockDim.x) * pack_cells <= views.columns)
        stream_down<Radius, Fit::exact>(views, column, first, end);
    else
        stream_down<Radius, Fit::overhang>(views, column, first, end);
}

struct WeightedStream {
    static constexpr TechniqueInfo info{
        "weighted_stream", "row sums as rows pass, sums of columns in registers, four columns wide",
        "after Micikevicius 2009", Family::register_streaming};

    template <int radius>
    static constexpr RegionKernel<GaussianBlur> kernel() {
        return weighted_stream_kernel<radius>;
    }

    static void add(Catalogue<GaussianBlur>& catalogue) {
        constexpr Region block{64, 1};
        for (const int rows : {32, 64, 128})
            catalogue.add(radius_plan<WeightedStream, GaussianBlur>(
                info, {.block = block,
                       .region = {block.columns * pack_cells, rows},
                       .elements_per_thread = pack_cells * rows,
                       .path = block.name() + "/v4/r" + std::to_string(rows)}));
    }
};

CAMBER_TARGET_END

namespace camber::gaussian {

namespace {

const Registration stream([](Registry& registry) {
    Catalogue<GaussianBlur> catalogue(registry, "gaussian", ElementType::float32);
    WeightedStream::add(catalogue);
});

}  // namespace
}  // namespace camber::gaussian
