// One generation of a lane's cells as rows pass: takes a row, and returns the row above it, one
// generation later.
#pragma once

#include "variants/stencil/row_window.hpp"
#include "variants/stencil/views.hpp"

CAMBER_TARGET_BEGIN

// The cells of one row that a lane has, side by side.
template <class Cell, int N>
struct LaneCells {
    Cell cell[N];
};

// The same and the cells beside them, which the lanes before and after have. The first and the last
// lane have no lane beside them on one side: they get a cell of their own there.
template <class Cell, int N>
struct LaneCellsBeside {
    Cell cell[N + 2];

    CAMBER_DEVICE static LaneCellsBeside of(const LaneCells<Cell, N>& row) {
        LaneCellsBeside beside;
        beside.cell[0] = from_lane_before(row.cell[N - 1], 1);
        beside.cell[N + 1] = from_lane_after(row.cell[0], 1);
#pragma unroll
        for (int c = 0; c < N; ++c) beside.cell[c + 1] = row.cell[c];
        return beside;
    }
};

// True if a rule returns its result in parts, row by row: see workloads/core/rule.hpp.
template <class Rule>
constexpr bool sums_by_rows() {
    return requires {
        typename Rule::PartialSum;
    };
}

// Keeps the two rows that came last.
template <class Rule, int N, bool by_sums = sums_by_rows<Rule>()>
class PassingGeneration {
  public:
    using Cell = typename Rule::Inputs::template At<0>::Type;
    // Number of rows after which all values are in the same registers again: a loop over as many
    // rows copies nothing.
    static constexpr int period = 3;
    static constexpr int cells_held = 2 * (N + 2);

    // Lays the row above into `row`, one generation on.
    CAMBER_DEVICE void pass(LaneCells<Cell, N>& row, const LaneCellsBeside<Cell, N>& below,
                            const Views<Rule>& views, const typename Rule::Parameters& parameters,
                            Site site = Site::current()) {
#pragma unroll
        for (int c = 0; c < N; ++c) {
            const auto read = [&]<class Tag>(Tag, int dcol, int drow, Site) -> Cell {
                const auto& from = drow < 0 ? above_ : drow > 0 ? below : own_;
                return from.cell[c + 1 + dcol];
            };
            row.cell[c] = apply(views, read, parameters, site);
        }
        above_ = own_;
        own_ = below;
    }

  private:
    LaneCellsBeside<Cell, N> above_ = {};
    LaneCellsBeside<Cell, N> own_ = {};
};

// Keeps what the rows have come to so far for the two rows of cells whose last row is still to
// come: no row, and nothing of what the lanes beside have. AN5D (Matsumura et al. 2020) does so
// with stencils that it calls associative.
template <class Rule, int N>
class PassingGeneration<Rule, N, true> {
  public:
    using Cell = typename Rule::Inputs::template At<0>::Type;
    static constexpr int period = 1;
    static constexpr int cells_held = 2 * N;

    CAMBER_DEVICE void pass(LaneCells<Cell, N>& row, const LaneCellsBeside<Cell, N>& beside,
                            const Views<Rule>&, const typename Rule::Parameters& parameters) {
#pragma unroll
        for (int c = 0; c < N; ++c) {
            const Cell left = beside.cell[c];
            const Cell own = beside.cell[c + 1];
            const Cell right = beside.cell[c + 2];
            row.cell[c] = Rule::next_below(own_[c], left, own, right, parameters);
            own_[c] = Rule::sum_own(above_[c], left, own, right, parameters);
            above_[c] = Rule::sum_above(left, own, right, parameters);
        }
    }

  private:
    using Sum = typename Rule::PartialSum;
    Sum above_[N] = {};
    Sum own_[N] = {};
};

CAMBER_TARGET_END
