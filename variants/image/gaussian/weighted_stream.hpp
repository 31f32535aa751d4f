// Gaussian blur by threads that go down the rows with their sums in registers, in float and in
// double.
#pragma once

#include <string>

#include "variants/image/gaussian/weighted_sums.hpp"

// weighted_stream: a thread moves down four columns (two in double) of a stretch of the board. It
// sums each incoming row from global memory and adds that sum to the sums of the 2r+1 rows that it
// affects, which stay in registers. Each sum moves up by one register in its own multiply-add, so
// no value is copied. No shared memory, and 2 * (2r+1) multiply-adds per cell, plus the 2r rows
// around the stretch. Registers instead of a sliding tile: Micikevicius 2009.
CAMBER_WORKLOAD_BEGIN(gaussian)

// Computes rows [first, end).
template <class T, int Radius, Fit fit>
CAMBER_DEVICE void stream_down(const Views<GaussianBlurOf<T>>& views, int column, int first,
                               int end) {
    constexpr int N = cells_of_pack<T>;
    constexpr int pending = 2 * Radius;  // rows with incomplete sums
    const auto& weights = views.parameters.weights;
    const WideRows<GaussianBlurOf<T>, Radius, fit> row_sums(views, column);
    Sums<N, T> sums[pending];  // the row that is complete next comes first
#pragma unroll 1
    for (int row = first - Radius; row < end + Radius; ++row) {
        const Sums<N, T> own = row_sums(row);
        Sums<N, T> complete;
#pragma unroll
        for (int n = 0; n < N; ++n) {
            complete.sum[n] = fused(weights[pending], own.sum[n], sums[0].sum[n]);
#pragma unroll
            for (int i = 0; i < pending - 1; ++i)
                sums[i].sum[n] = fused(weights[pending - 1 - i], own.sum[n], sums[i + 1].sum[n]);
            sums[pending - 1].sum[n] = fused(weights[0], own.sum[n], T(0));
        }
        if (row - Radius >= first)
            store_row<N, fit>(views, row - Radius, column, [&](int n) { return complete.sum[n]; });
    }
}

template <class T, int Radius>
__global__ void weighted_stream_kernel(const Views<GaussianBlurOf<T>> views, int rows) {
    constexpr int N = cells_of_pack<T>;
    const int strip = blockIdx.x * blockDim.x * N;
    const int column = strip + threadIdx.x * N;
    if (column >= views.columns) return;
    const int first = blockIdx.y * rows;
    const int end = first + rows < views.rows ? first + rows : views.rows;
    if (strip + static_cast<int>(blockDim.x) * N <= views.columns)
        stream_down<T, Radius, Fit::exact>(views, column, first, end);
    else
        stream_down<T, Radius, Fit::overhang>(views, column, first, end);
}

template <class T>
struct WeightedStreamOf {
    static constexpr TechniqueInfo info{
        "weighted_stream", "row sums as rows pass, sums of columns in registers, four columns wide",
        "after Micikevicius 2009", Family::register_streaming};

    template <int radius>
    static constexpr RegionKernel<GaussianBlurOf<T>> kernel() {
        return weighted_stream_kernel<T, radius>;
    }

    static void add(Catalogue<GaussianBlurOf<T>>& catalogue) {
        constexpr int N = cells_of_pack<T>;
        constexpr Region block{64, 1};
        for (const int rows : {32, 64, 128})
            catalogue.add(radius_plan<WeightedStreamOf, GaussianBlurOf<T>>(
                info,
                {.block = block,
                 .region = {block.columns * N, rows},
                 .elements_per_thread = N * rows,
                 .path = block.name() + "/v" + std::to_string(N) + "/r" + std::to_string(rows)}));
    }
};

CAMBER_TARGET_END
