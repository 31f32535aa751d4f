// Rows of layers in the registers of a thread that moves down the board: N own columns, and for the
// first and the last lane the adjacent column that no other lane of the warp has.
#pragma once

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/row_window.hpp"
#include "workloads/image/extrema/rule.hpp"

CAMBER_WORKLOAD_BEGIN(extrema)

CAMBER_DEVICE MinMax extremes_of_lane_before(MinMax value) {
    return {from_lane_before(value.largest, 1), from_lane_before(value.smallest, 1)};
}
CAMBER_DEVICE MinMax extremes_of_lane_after(MinMax value) {
    return {from_lane_after(value.largest, 1), from_lane_after(value.smallest, 1)};
}

// Extremes of the columns adjacent to a lane's column c, which are its own columns or those of
// adjacent lanes.
template <int N>
CAMBER_DEVICE MinMax sides_of(const MinMax (&columns)[N], MinMax left, MinMax right, int c) {
    return joined(c == 0 ? left : columns[c == 0 ? 0 : c - 1],
                  c == N - 1 ? right : columns[c == N - 1 ? c : c + 1]);
}

template <class Rule, int N, Fit fit>
class LayerRows {
  public:
    CAMBER_DEVICE LayerRows(const Views<Rule>& views, int row, int column)
        : views_(views), row_(row), column_(column) {}

    // Own columns of the layer, r rows below the first.
    template <class Tag>
    CAMBER_DEVICE void load(Tag tag, int r, float (&cells)[N], Site site = Site::current()) const {
        const CallPath path(site);
        const Window<const float> window = views_.input(tag).window(row_, column_);
        const Site whole = Site::current();
        const Site single = Site::current();
        if (fit == Fit::exact || (exists(r, 0) && column_ + N <= views_.columns)) {
            const Pack<float, N> own = pack<N>(window, r, 0, whole);
#pragma unroll
            for (int c = 0; c < N; ++c) {
                cells[c] = own[c];
                skip(single);
            }
        } else {
            skip(whole);
#pragma unroll
            for (int c = 0; c < N; ++c)
                cells[c] = load_if(exists(r, c), window, r, c, 0.0f, single);
        }
    }

    // Column to the left for the first lane, column to the right for the last lane.
    template <class Tag>
    CAMBER_DEVICE float beside(Tag tag, int r, Site site = Site::current()) const {
        const int lane = threadIdx.x % warpSize;
        const int c = lane == 0 ? -1 : N;
        const bool wanted = (lane == 0 || lane == warpSize - 1) && exists(r, c);
        return load_if(wanted, views_.input(tag).window(row_, column_), r, c, 0.0f, site);
    }

  private:
    // True if the cell is on the board or in its halo.
    CAMBER_DEVICE bool exists(int r, int c) const {
        return fit == Fit::exact ||
               (row_ + r < views_.rows + 1 && column_ + c < views_.columns + 1);
    }

    const Views<Rule>& views_;
    int row_;
    int column_;
};

CAMBER_TARGET_END
