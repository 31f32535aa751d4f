// Register window for N adjacent columns of R adjacent rows per thread.
//
// For every field that a rule reads beyond its own cell, the window contains R + 2*radius rows of N
// + 2*radius cells. Own cells are loaded by accesses of N cells; their neighbors to the left and
// right come from the adjacent lanes of the warp, or are loaded separately. For fields that are
// read only at the own cell, the window contains only own cells.
#pragma once

#include "variants/stencil/views.hpp"

CAMBER_TARGET_BEGIN

// Source of the cells left and right of a thread's own cells.
enum class Sides { loads, shuffles };

template <int Rows, int N>
struct RegistersOf {
    template <class Tag>
    struct Type {
        static constexpr int radius = Tag::radius;
        typename Tag::Type cell[Rows + 2 * radius][N + 2 * radius];
    };
};

// Value of the lane `distance` before (or after) this one. Shuffles move 32-bit words, so smaller
// types are widened.
template <class T>
CAMBER_DEVICE T from_lane_before(T value, int distance) {
    if constexpr (sizeof(T) < 4)
        return static_cast<T>(__shfl_up_sync(0xffffffffu, static_cast<unsigned>(value), distance));
    else
        return __shfl_up_sync(0xffffffffu, value, distance);
}
template <class T>
CAMBER_DEVICE T from_lane_after(T value, int distance) {
    if constexpr (sizeof(T) < 4)
        return static_cast<T>(
            __shfl_down_sync(0xffffffffu, static_cast<unsigned>(value), distance));
    else
        return __shfl_down_sync(0xffffffffu, value, distance);
}

// Reach of a rule to the left and right in a row `away` rows from its own. If the rule reads a
// diamond instead of a square, the reach decreases with the distance. Unused cells are not loaded:
// the compiler would omit the loads, but the model would count them.
template <class Tag>
CAMBER_HD constexpr int reach(int away) {
    if constexpr (requires { Tag::diamond; })
        return Tag::radius - away;
    else if constexpr (requires { Tag::corners; })
        return Tag::corners || away == 0 ? Tag::radius : 0;
    else
        return Tag::radius;
}

template <class Rule, int N, int Rows, Sides sides, Fit fit>
class RowWindow {
  public:
    // Loads the window of own cells: columns [column, column + N) of rows [row, row + Rows). With
    // Sides::shuffles, the lanes of the warp have adjacent packs, and all lanes must take part.
    CAMBER_DEVICE RowWindow(const Views<Rule>& views, int row, int column)
        : views_(views), row_(row), column_(column) {
        Rule::Inputs::for_each([&]<class Tag>(Tag tag) {
            auto& registers = get<Rule::Inputs::template index<Tag>>(registers_);
            const Window<const typename Tag::Type> window = views.input(tag).window(row, column);
#pragma unroll
            for (int r = 0; r < Rows + 2 * Tag::radius; ++r)
                load_row(tag, window, r - Tag::radius, registers.cell[r]);
        });
    }

    // New value of own cell (r, c) by the rule.
    CAMBER_DEVICE auto next(int r, int c, Site site = Site::current()) const {
        const auto read = [&]<class Tag>(Tag, int dcol, int drow, Site) -> typename Tag::Type {
            return get<Rule::Inputs::template index<Tag>>(registers_)
                .cell[r + drow + Tag::radius][c + dcol + Tag::radius];
        };
        return apply(views_, read, site);
    }

  private:
    // Loads row `r`, counted from the first own row, into the N + 2*radius elements of `cells`.
    template <class Tag, class T = typename Tag::Type>
    CAMBER_DEVICE void load_row(Tag tag, const Window<const T>& window, int r, T* cells) const {
        constexpr int radius = Tag::radius;
        if constexpr (fit == Fit::exact) {
            const Pack<T, N> own = pack<N>(window, r, 0);
#pragma unroll
            for (int i = 0; i < N; ++i) cells[radius + i] = own[i];
        } else {
            load_own(tag, window, r, cells);
        }
        if constexpr (radius > 0 && sides == Sides::shuffles)
            sides_by_shuffles(tag, window, r, cells);
        else if constexpr (radius > 0)
            sides_by_loads(tag, window, r, cells);
    }

    // Loads a pack as a whole if it is on the board, otherwise cell by cell.
    template <class Tag, class T = typename Tag::Type>
    CAMBER_DEVICE void load_own(Tag, const Window<const T>& window, int r, T* cells) const {
        constexpr int radius = Tag::radius;
        const Site whole = Site::current();
        const Site single = Site::current();
        if (exists<Tag>(r) && column_ + N <= views_.columns) {
            const Pack<T, N> own = pack<N>(window, r, 0, whole);
#pragma unroll
            for (int i = 0; i < N; ++i) {
                cells[radius + i] = own[i];
                skip(single);
            }
        } else {
            skip(whole);
#pragma unroll
            for (int i = 0; i < N; ++i)
                cells[radius + i] =
                    load_if(exists<Tag>(r, i), window, r, i, Tag::outside(), single);
        }
    }

    template <class Tag, class T = typename Tag::Type>
    CAMBER_DEVICE void sides_by_loads(Tag, const Window<const T>& window, int r, T* cells) const {
        constexpr int radius = Tag::radius;
        const int far = reach<Tag>(away(r));
        if constexpr (radius == 2 && N % 2 == 0 && fit == Fit::exact) {
            if (far == 2) {
                sides_by_pairs(window, r, cells);
                return;
            }
        }
#pragma unroll
        for (int d = 1; d <= far; ++d) {
            cells[radius - d] = load_if(exists<Tag>(r, -d), window, r, -d, Tag::outside());
            cells[radius + N - 1 + d] =
                load_if(exists<Tag>(r, N - 1 + d), window, r, N - 1 + d, Tag::outside());
        }
    }

    // Loads two cells beside a pack by one access. The compiler would join two loads of one cell
    // each in this way, but the model would count both.
    template <class T>
    CAMBER_DEVICE void sides_by_pairs(const Window<const T>& window, int r, T* cells) const {
        const Pack<T, 2> before = pack<2>(window, r, -2);
        const Pack<T, 2> after = pack<2>(window, r, N);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            cells[i] = before[i];
            cells[2 + N + i] = after[i];
        }
    }

    // Loads the side cell of the first and the last lane, which have no neighboring lane on one
    // side; one load serves both.
    template <class Tag, class T = typename Tag::Type>
    CAMBER_DEVICE void sides_by_shuffles(Tag, const Window<const T>& window, int r,
                                         T* cells) const {
        constexpr int radius = Tag::radius;
        static_assert(radius <= N, "a side would reach over two lanes");
        const int lane = threadIdx.x % warpSize;
        const bool first = lane == 0;
        const bool last = lane == warpSize - 1;
        const int far = reach<Tag>(away(r));
#pragma unroll
        for (int d = 1; d <= far; ++d) {
            const T before = from_lane_before(cells[radius + N - d], 1);
            const T after = from_lane_after(cells[radius - 1 + d], 1);
            const int edge = first ? -d : N - 1 + d;
            const T beyond =
                load_if((first || last) && exists<Tag>(r, edge), window, r, edge, Tag::outside());
            cells[radius - d] = first ? beyond : before;
            cells[radius + N - 1 + d] = last ? beyond : after;
        }
    }

    // Distance between row r and the nearest own row.
    CAMBER_DEVICE static int away(int r) {
        return r < 0 ? -r : r < Rows ? 0 : r - Rows + 1;
    }

    // True if the board or its halo contains the row, or the cell, counted from the first own one.
    template <class Tag>
    CAMBER_DEVICE bool exists(int r) const {
        return fit == Fit::exact || row_ + r < views_.rows + Tag::radius;
    }
    template <class Tag>
    CAMBER_DEVICE bool exists(int r, int c) const {
        return fit == Fit::exact ||
               (row_ + r < views_.rows + Tag::radius && column_ + c < views_.columns + Tag::radius);
    }

    const Views<Rule>& views_;
    int row_;
    int column_;
    typename Rule::Inputs::template Map<RegistersOf<Rows, N>::template Type> registers_;
};

// Stores new values of own cells: columns [column, column + N) of one row. next(c) returns the
// rule's result for column + c.
template <int N, Fit fit, class Rule, class Next>
CAMBER_DEVICE void store_row(const Views<Rule>& views, int row, int column, const Next& next) {
    const Site whole = Site::current();
    const Site single = Site::current();
    const bool inside = on_board<fit>(views, row, column);
    if (fit == Fit::exact || (inside && column + N <= views.columns)) {
        store_packs<N>(views, row, column, next, whole);
#pragma unroll
        for (int c = 0; c < N; ++c) skip(single);
    } else {
        skip(whole);
#pragma unroll
        for (int c = 0; c < N; ++c)
            if (inside && column + c < views.columns)
                store(views, row, column + c, next(c), single);
            else
                skip(single);
    }
}

CAMBER_TARGET_END
