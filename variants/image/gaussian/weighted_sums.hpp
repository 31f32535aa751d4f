// Building blocks of Gaussian blur kernels that are compiled per radius: sums at adjacent cells, in
// which each value is read once for all of them, and the technique wide_rows.
#pragma once

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/row_window.hpp"
#include "workloads/image/gaussian/rule.hpp"

// Sums at N adjacent cells.
CAMBER_WORKLOAD_BEGIN(gaussian)

template <int N, class T = float>
struct Sums {
    T sum[N] = {};
};

// Weighted sums around N cells, of values from Radius cells before the first to Radius cells behind
// the last: at(0) to at(N - 1 + 2 * Radius), each called once, in the order of GaussianBlur.
template <int Radius, int N, class T, class At>
CAMBER_DEVICE Sums<N, T> weighted_sums(const GaussianWeightsOf<T>& weights, const At& at) {
    Sums<N, T> sums;
#pragma unroll
    for (int i = 0; i < N + 2 * Radius; ++i) {
        const T value = at(i);
#pragma unroll
        for (int n = 0; n < N; ++n)
            if (i - n >= 0 && i - n <= 2 * Radius)
                sums.sum[n] = fused(weights.weights[i - n], value, sums.sum[n]);
    }
    return sums;
}

template <class T>
inline constexpr int cells_of_pack = 16 / static_cast<int>(sizeof(T));  // of a 16-byte access
inline constexpr int pack_cells = cells_of_pack<float>;

// A thread's N columns in successive rows, with all cells within the radius, loaded by accesses of
// 16 bytes.
template <class Rule, int Radius, Fit fit>
class WideRows {
    using Tag = typename Rule::Inputs::template At<0>;

  public:
    using Cell = typename Tag::Type;
    static constexpr int N = cells_of_pack<Cell>;

    // `column` is the first one, a multiple of N. With Fit::exact all N are on the board.
    CAMBER_DEVICE WideRows(const Views<Rule>& views, int column)
        : views_(views),
          cells_(views.input(Tag{})),
          columns_(views.columns + cells_.halo()),
          column_(column) {}

    // Sums along a row, which must be on the board or in its halo.
    CAMBER_DEVICE Sums<N, Cell> operator()(int row, Site site = Site::current()) const {
        const CallPath path(site);
        Cell cells[N + 2 * reach];
#pragma unroll
        for (int i = 0; i < N + 2 * reach; i += N) load(row, column_ - reach + i, cells + i);
        return weighted_sums<Radius, N>(views_.parameters,
                                        [&](int i) { return cells[reach - Radius + i]; });
    }

    // Loads N cells from a column that is a multiple of N; cells beyond the halo affect no
    // stored sum. They are 0, also if the row does not exist.
    CAMBER_DEVICE void load(int row, int column, Cell* cells, bool exists = true,
                            Site site = Site::current()) const {
        const CallPath path(site);
        const Site whole = Site::current();
        const Site single = Site::current();
        if (exists && (fit == Fit::exact || column + N <= columns_)) {
            const Pack<Cell, N> loaded = pack<N>(cells_, row, column, whole);
#pragma unroll
            for (int i = 0; i < N; ++i) {
                cells[i] = loaded[i];
                if constexpr (fit == Fit::overhang) skip(single);
            }
        } else {
            skip(whole);
#pragma unroll
            for (int i = 0; i < N; ++i)
                cells[i] =
                    load_if(exists && column + i < columns_, cells_, row, column + i,
                            Tag::outside(), single);
        }
    }

  private:
    static constexpr int reach = (Radius + N - 1) / N * N;
    static_assert(reach <= largest_gaussian_radius);

    const Views<Rule>& views_;
    const InputGrid<Tag>& cells_;
    int columns_;
    int column_;
};

CAMBER_TARGET_END

// wide_rows: the whole square from global memory, like halo, but with four columns per thread: a
// row's cells are loaded by 16-byte accesses and stay in registers for all four sums. A square of
// radius r takes (2r+1) * (1 + 2 * ceil(r/4)) accesses for four cells, instead of 4 * (2r+1)^2.
// Register blocking: Volkov, Demmel 2008.
CAMBER_WORKLOAD_BEGIN(gaussian)

// Rule is GaussianBlur, or GaussianRows, whose squares have one row.
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
