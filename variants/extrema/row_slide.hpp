// row_slide: extrema by sliding down the rows. A thread holds no rows but what is left of them: of
// each row the largest and smallest of the three layers, of its own row also those of the two outer
// layers. Each row is loaded once per thread (16-byte accesses) and reduced once; the sides come
// from the other lanes' finished columns by four shuffles. 16 maximum and minimum operations per
// cell, where row by row comparisons take 52.
#pragma once

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/row_window.hpp"
#include "workloads/extrema/rule.hpp"

CAMBER_WORKLOAD_BEGIN(extrema)

// A row of N columns: over all three layers, over the two outer ones, and the middle cells.
template <int N>
struct ReducedRow {
    MinMax all[N];
    MinMax outer[N];
    float middle[N];
};

CAMBER_DEVICE MinMax extremes_of_lane_before(MinMax value) {
    return {from_lane_before(value.largest, 1), from_lane_before(value.smallest, 1)};
}
CAMBER_DEVICE MinMax extremes_of_lane_after(MinMax value) {
    return {from_lane_after(value.largest, 1), from_lane_after(value.smallest, 1)};
}

template <Fit fit>
class LayerRows {
  public:
    static constexpr int N = 4;

    CAMBER_DEVICE LayerRows(const Views<Extrema>& views, int row, int column)
        : views_(views), row_(row), column_(column) {}

    // Of own columns, r rows below the first.
    CAMBER_DEVICE ReducedRow<N> reduced(int r) const {
        float below[N], above[N];
        ReducedRow<N> row;
        load(BelowLayer{}, r, below);
        load(MiddleLayer{}, r, row.middle);
        load(AboveLayer{}, r, above);
#pragma unroll
        for (int c = 0; c < N; ++c) {
            row.outer[c] = joined(MinMax{below[c], below[c]}, above[c]);
            row.all[c] = joined(row.outer[c], row.middle[c]);
        }
        return row;
    }

    // Of the one column beside them that no other lane has: the first lane's left one, the last
    // lane's right one.
    CAMBER_DEVICE MinMax beside(int r) const {
        const int lane = threadIdx.x % warpSize;
        const int c = lane == 0 ? -1 : N;
        const bool wanted = (lane == 0 || lane == warpSize - 1) && exists(r, c);
        const auto cell = [&](auto tag, Site site = Site::current()) {
            return load_if(wanted, views_.input(tag).window(row_, column_), r, c, 0.0f, site);
        };
        const float below = cell(BelowLayer{});
        const float middle = cell(MiddleLayer{});
        const float above = cell(AboveLayer{});
        return joined(joined(MinMax{below, below}, above), middle);
    }

  private:
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
    // Whether the board and its halo have the cell.
    CAMBER_DEVICE bool exists(int r, int c) const {
        return fit == Fit::exact ||
               (row_ + r < views_.rows + 1 && column_ + c < views_.columns + 1);
    }

    const Views<Extrema>& views_;
    int row_;
    int column_;
};

// Many threads with few registers each keep more loads under way than few threads with many: the
// compiler is held to what lets so many of them share a multiprocessor, and the loop to one row at
// a time.
template <Fit fit>
inline constexpr int resident_threads = fit == Fit::exact ? 1024 : 512;

template <int Rows, int Threads, Fit fit>
__global__ void __launch_bounds__(Threads, resident_threads<fit> / Threads)
    row_slide_kernel(const Views<Extrema> views) {
    constexpr int N = LayerRows<fit>::N;
    const int row = (blockIdx.y * blockDim.y + threadIdx.y) * Rows;
    const int column = (blockIdx.x * blockDim.x + threadIdx.x) * N;
    const int lane = threadIdx.x % warpSize;
    const LayerRows<fit> rows(views, row, column);

    ReducedRow<N> upper = rows.reduced(-1);
    ReducedRow<N> own = rows.reduced(0);
    MinMax upper_beside = rows.beside(-1);
    MinMax own_beside = rows.beside(0);
#pragma unroll 1
    for (int r = 0; r < Rows; ++r) {
        const ReducedRow<N> lower = rows.reduced(r + 1);
        const MinMax lower_beside = rows.beside(r + 1);
        MinMax column_of[N];  // all nine cells of each column
        MinMax others[N];     // without the cell itself
#pragma unroll
        for (int c = 0; c < N; ++c) {
            const MinMax outside = joined(upper.all[c], lower.all[c]);
            column_of[c] = joined(outside, own.all[c]);
            others[c] = joined(outside, own.outer[c]);
        }
        const MinMax edge = joined(joined(upper_beside, own_beside), lower_beside);
        const MinMax before = extremes_of_lane_before(column_of[N - 1]);
        const MinMax after = extremes_of_lane_after(column_of[0]);
        const MinMax left = lane == 0 ? edge : before;
        const MinMax right = lane == warpSize - 1 ? edge : after;
        store_row<N, fit>(views, row + r, column, [&](int c) {
            const MinMax sides = joined(c == 0 ? left : column_of[c == 0 ? 0 : c - 1],
                                        c == N - 1 ? right : column_of[c == N - 1 ? c : c + 1]);
            return extremum(own.middle[c], joined(others[c], sides));
        });
        upper = own;
        own = lower;
        upper_beside = own_beside;
        own_beside = lower_beside;
    }
}

struct RowSlide {
    static constexpr TechniqueInfo info{
        "row_slide", "rows reduced as they are loaded, sides by warp shuffles",
        "after Lowe 2004, section 3.1; the reduction is camber's", Family::register_streaming};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(info, variant<32, 4, 8>());
        catalogue.add(info, variant<32, 4, 16>());
        catalogue.add(info, variant<64, 4, 8>());
        catalogue.add(info, variant<64, 4, 16>());
        catalogue.add(info, variant<64, 4, 32>());
    }

  private:
    template <int BX, int BY, int Rows>
    static StencilVariant<Extrema> variant() {
        const Region block{BX, BY};
        return {.shape = {.block = block,
                          .region = {block.columns * 4, block.rows * Rows},
                          .halo = 1,
                          .alignment = 128,
                          .elements_per_thread = 4 * Rows,
                          .path = block.name() + "/v4/r" + std::to_string(Rows)},
                .kernel = {row_slide_kernel<Rows, BX * BY, Fit::overhang>,
                           row_slide_kernel<Rows, BX * BY, Fit::exact>}};
    }
};

CAMBER_TARGET_END
