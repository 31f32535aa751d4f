// wide_rows: the whole square from global memory, like halo, but with four columns per thread: a
// row's cells are loaded by 16-byte accesses and stay in registers for all four sums. A square of
// radius r takes (2r+1) * (1 + 2 * ceil(r/4)) accesses for four cells, instead of 4 * (2r+1)^2.
// Register blocking: Volkov, Demmel 2008.
#pragma once

#include "variants/image/gaussian/weighted_sums.hpp"

CAMBER_WORKLOAD_BEGIN(gaussian)

// Rule: GaussianBlur, or GaussianRows, whose squares have one row.
template <class Rule, int Radius, Fit fit>
CAMBER_DEVICE void wide_rows_cells(const Views<Rule>& views, int row, int column) {
    const WideRows<Rule, Radius, fit> row_sums(views, column);
    Sums<pack_cells> sums;
    if constexpr (std::is_same_v<Rule, GaussianRows>) {
        sums = row_sums(row);
    } else {
#pragma unroll 1
        for (int d = 0; d <= 2 * Radius; ++d) {
            const float weight = views.parameters.weights[d];
            const Sums<pack_cells> next = row_sums(row - Radius + d);
#pragma unroll
            for (int n = 0; n < pack_cells; ++n)
                sums.sum[n] = fmaf(weight, next.sum[n], sums.sum[n]);
        }
    }
    store_row<pack_cells, fit>(views, row, column, [&](int n) { return sums.sum[n]; });
}

template <class Rule, int Radius>
__global__ void wide_rows_kernel(const Views<Rule> views, int rows) {
    const int first = blockIdx.x * blockDim.x * pack_cells;
    const int column = first + threadIdx.x * pack_cells;
    const int row = blockIdx.y * rows + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    if (first + static_cast<int>(blockDim.x) * pack_cells <= views.columns)
        wide_rows_cells<Rule, Radius, Fit::exact>(views, row, column);
    else
        wide_rows_cells<Rule, Radius, Fit::overhang>(views, row, column);
}

template <class Rule>
struct WideRowsOf {
    template <int radius>
    static constexpr RegionKernel<Rule> kernel() {
        return wide_rows_kernel<Rule, radius>;
    }
};

struct WideRowsTechnique {
    static constexpr TechniqueInfo info{
        "wide_rows", "whole squares from global memory, four columns a thread, rows in registers",
        "Volkov, Demmel 2008 (register blocking)", Family::several_cells};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : {Region{32, 8}, Region{64, 4}})
            catalogue.add(radius_plan<WideRowsOf<Rule>, Rule>(
                info, {.block = block,
                       .region = {block.columns * pack_cells, block.rows},
                       .elements_per_thread = pack_cells,
                       .path = block.name() + "/v4"}));
    }
};

CAMBER_TARGET_END
