// Building blocks of Gaussian blur kernels that are compiled per radius: sums at N adjacent cells,
// where each value is read once for all of them.
#pragma once

#include "variants/stencil/by_radius.hpp"
#include "variants/stencil/row_window.hpp"
#include "workloads/image/gaussian/rule.hpp"

CAMBER_WORKLOAD_BEGIN(gaussian)

template <int N>
struct Sums {
    float sum[N] = {};
};

// Weighted sums around N cells, of values from Radius before the first to Radius behind the last:
// at(0) to at(N - 1 + 2 * Radius), each called once, in the order of GaussianBlur.
template <int Radius, int N, class At>
CAMBER_DEVICE Sums<N> weighted_sums(const GaussianWeights& weights, const At& at) {
    Sums<N> sums;
#pragma unroll
    for (int i = 0; i < N + 2 * Radius; ++i) {
        const float value = at(i);
#pragma unroll
        for (int n = 0; n < N; ++n)
            if (i - n >= 0 && i - n <= 2 * Radius)
                sums.sum[n] = fmaf(weights.weights[i - n], value, sums.sum[n]);
    }
    return sums;
}

inline constexpr int pack_cells = 4;  // of an access of 16 bytes

// A thread's four columns in successive rows, with all cells within the radius of them, by accesses
// of four cells.
template <class Rule, int Radius, Fit fit>
class WideRows {
  public:
    static constexpr int N = pack_cells;

    // `column`: the first one, a multiple of four. With Fit::exact all four are on the board.
    CAMBER_DEVICE WideRows(const Views<Rule>& views, int column)
        : views_(views),
          cells_(views.input(Tag{})),
          columns_(views.columns + cells_.halo()),
          column_(column) {}

    // The sums along a row, which the board or its halo has.
    CAMBER_DEVICE Sums<N> operator()(int row, Site site = Site::current()) const {
        const CallPath path(site);
        float cells[N + 2 * reach];
#pragma unroll
        for (int i = 0; i < N + 2 * reach; i += N) load(row, column_ - reach + i, cells + i);
        return weighted_sums<Radius, N>(views_.parameters,
                                        [&](int i) { return cells[reach - Radius + i]; });
    }

    // Four cells from a column that four divides; cells beyond the halo enter no sum that is
    // stored.
    CAMBER_DEVICE void load(int row, int column, float* cells, Site site = Site::current()) const {
        const CallPath path(site);
        const Site whole = Site::current();
        const Site single = Site::current();
        if (fit == Fit::exact || column + N <= columns_) {
            const Pack<float, N> loaded = pack<N>(cells_, row, column, whole);
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
                    load_if(column + i < columns_, cells_, row, column + i, Tag::outside(), single);
        }
    }

  private:
    using Tag = typename Rule::Inputs::template At<0>;
    static constexpr int reach = (Radius + N - 1) / N * N;
    static_assert(reach <= largest_gaussian_radius);

    const Views<Rule>& views_;
    const InputGrid<Tag>& cells_;
    int columns_;
    int column_;
};

CAMBER_TARGET_END
