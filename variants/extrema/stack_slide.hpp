// stack_slide: extrema of a stack of layers by sliding down the rows. Each layer's row is loaded
// once per thread. A thread keeps the cells of one row, and of the row above what its inner layers'
// triples come to; the sides come from the other lanes' finished columns by shuffles, four for a
// layer.
//
// What to expect: the six layers and four results of a cell are 28 bytes, so that a board of
// 4096 x 4096 takes 110 us at an H200's copy. With four columns a cell takes 156 instructions of
// the 220 that are issued meanwhile (nvcc 13.0, sm_90), but 110 of them, 72 of which are maxima and
// minima, share a pipe that takes 64 lanes a clock: another 110 us. Where both bind alike neither
// is reached: 130 to 150 us. Measured are 185, as many as `packed` takes, and why is not known
// (results/h200/extrema_stack.txt).
#pragma once

#include <utility>

#include "variants/extrema/layer_rows.hpp"
#include "workloads/extrema/extrema.hpp"
#include "workloads/extrema/rule.hpp"

CAMBER_WORKLOAD_BEGIN(extrema)

using SixLayers = ExtremaStack<stack_layers>;
inline constexpr int inner_layers = stack_layers - 2;

template <int N, Fit fit>
CAMBER_DEVICE void load_layers(const LayerRows<SixLayers, N, fit>& rows, int r,
                               float (&cells)[stack_layers][N]) {
    SixLayers::Inputs::for_each([&]<class Tag>(Tag tag) {
        rows.load(tag, r, cells[SixLayers::Inputs::template index<Tag>]);
    });
}

// Of layers m to m + 2: of the outer two, and of all three.
template <int N>
CAMBER_DEVICE MinMax of_outer(const float (&cells)[stack_layers][N], int m, int c) {
    return joined(MinMax{cells[m][c], cells[m][c]}, cells[m + 2][c]);
}
template <int N>
CAMBER_DEVICE MinMax of_all(const float (&cells)[stack_layers][N], int m, int c) {
    return joined(of_outer(cells, m, c), cells[m + 1][c]);
}

// The triples of the column beside, of every inner layer.
template <int N, Fit fit>
CAMBER_DEVICE void load_beside(const LayerRows<SixLayers, N, fit>& rows, int r,
                               MinMax (&triples)[inner_layers]) {
    float cells[stack_layers][1];
    SixLayers::Inputs::for_each([&]<class Tag>(Tag tag) {
        cells[SixLayers::Inputs::template index<Tag>][0] = rows.beside(tag, r);
    });
#pragma unroll
    for (int m = 0; m < inner_layers; ++m) triples[m] = of_all(cells, m, 0);
}

template <int N>
using StackResults = decltype(SixLayers::Stack::Result{})[N];

// Of one inner layer: its results in a row, from the rows above, beside it and below.
template <int m, int N>
CAMBER_DEVICE void extrema_of_row(const float (&own)[stack_layers][N],
                                  const float (&lower)[stack_layers][N],
                                  MinMax (&upper_all)[inner_layers][N],
                                  MinMax (&own_all)[inner_layers][N], MinMax edge,
                                  StackResults<N>& results) {
    const int lane = threadIdx.x % warpSize;
    MinMax column_of[N];  // all nine cells of each column
    MinMax others[N];     // without the cell itself
#pragma unroll
    for (int c = 0; c < N; ++c) {
        const MinMax lower_all = of_all(lower, m, c);
        const MinMax outside = joined(upper_all[m][c], lower_all);
        column_of[c] = joined(outside, own_all[m][c]);
        others[c] = joined(outside, of_outer(own, m, c));
        upper_all[m][c] = own_all[m][c];
        own_all[m][c] = lower_all;
    }
    const MinMax before = extremes_of_lane_before(column_of[N - 1]);
    const MinMax after = extremes_of_lane_after(column_of[0]);
    const MinMax left = lane == 0 ? edge : before;
    const MinMax right = lane == warpSize - 1 ? edge : after;
#pragma unroll
    for (int c = 0; c < N; ++c)
        get<m>(results[c]) =
            extremum(own[m + 1][c], joined(others[c], sides_of(column_of, left, right, c)));
}

template <int N, int Rows, int Threads, int Resident, Fit fit>
__global__ void __launch_bounds__(Threads, Resident / Threads)
    stack_slide_kernel(const Views<SixLayers> views) {
    const int row = (blockIdx.y * blockDim.y + threadIdx.y) * Rows;
    const int column = (blockIdx.x * blockDim.x + threadIdx.x) * N;
    const LayerRows<SixLayers, N, fit> rows(views, row, column);

    float own[stack_layers][N];
    MinMax upper_all[inner_layers][N], own_all[inner_layers][N];
    MinMax upper_beside[inner_layers], own_beside[inner_layers];
    load_layers(rows, -1, own);
#pragma unroll
    for (int m = 0; m < inner_layers; ++m)
#pragma unroll
        for (int c = 0; c < N; ++c) upper_all[m][c] = of_all(own, m, c);
    load_layers(rows, 0, own);
#pragma unroll
    for (int m = 0; m < inner_layers; ++m)
#pragma unroll
        for (int c = 0; c < N; ++c) own_all[m][c] = of_all(own, m, c);
    load_beside(rows, -1, upper_beside);
    load_beside(rows, 0, own_beside);
#pragma unroll 1
    for (int r = 0; r < Rows; ++r) {
        float lower[stack_layers][N];
        MinMax lower_beside[inner_layers];
        load_layers(rows, r + 1, lower);
        load_beside(rows, r + 1, lower_beside);
        StackResults<N> results;
        [&]<int... m>(std::integer_sequence<int, m...>) {
            (extrema_of_row<m>(own, lower, upper_all, own_all,
                               joined(joined(upper_beside[m], own_beside[m]), lower_beside[m]),
                               results),
             ...);
        }
        (std::make_integer_sequence<int, inner_layers>());
        store_row<N, fit>(views, row + r, column, [&](int c) { return results[c]; });
#pragma unroll
        for (int m = 0; m < inner_layers; ++m) {
            upper_beside[m] = own_beside[m];
            own_beside[m] = lower_beside[m];
        }
#pragma unroll
        for (int l = 0; l < stack_layers; ++l)
#pragma unroll
            for (int c = 0; c < N; ++c) own[l][c] = lower[l][c];
    }
}

struct StackSlide {
    static constexpr TechniqueInfo info{
        "stack_slide", "a row of all layers at once, triples of layers reduced, sides by shuffles",
        "after Lowe 2004, section 3.1; the reduction is camber's", Family::register_streaming};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(info, variant<32, 4, 2, 16>());
        catalogue.add(info, variant<64, 4, 2, 16>());
        catalogue.add(info, variant<32, 4, 4, 8>());
        catalogue.add(info, variant<32, 4, 4, 16>());
        catalogue.add(info, variant<32, 4, 4, 32>());
    }

  private:
    // Threads that a multiprocessor shall have at once: so many registers are left for each. Fewer
    // than these leave would go to local memory.
    template <int N, Fit fit>
    static constexpr int resident = N == 2 ? 512 : (fit == Fit::exact ? 384 : 256);

    template <int BX, int BY, int N, int Rows>
    static StencilVariant<SixLayers> variant() {
        const Region block{BX, BY};
        constexpr int threads = BX * BY;
        return {.shape = {.block = block,
                          .region = {block.columns * N, block.rows * Rows},
                          .halo = 1,
                          .alignment = 128,
                          .elements_per_thread = N * Rows,
                          .path = block.name() + "/v" + std::to_string(N) + "/r" +
                                  std::to_string(Rows)},
                .kernel = {
                    stack_slide_kernel<N, Rows, threads, resident<N, Fit::overhang>, Fit::overhang>,
                    stack_slide_kernel<N, Rows, threads, resident<N, Fit::exact>, Fit::exact>}};
    }
};

CAMBER_TARGET_END
