// Extrema of three layers, in every technique and by sliding down the rows.
#include "variants/image/extrema/layer_rows.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/image/extrema/rule.hpp"

// row_slide: extrema by sliding down the rows. Instead of rows, a thread stores partial results:
// for each row the maximum and minimum over the three layers and, for its own row, those over the
// two outer layers. Each row is loaded once per thread (16-byte accesses) and reduced once. Columns
// to the left and right come from other lanes' completed columns by four shuffles. This takes 16
// maximum and minimum operations per cell instead of 52 for row-by-row comparisons.
CAMBER_WORKLOAD_BEGIN(extrema)

// A row of N columns: extremes over all three layers and over the two outer ones, and the middle
// layer's cells.
template <int N>
struct ReducedRow {
    MinMax all[N];
    MinMax outer[N];
    float middle[N];
};

template <int N, Fit fit>
CAMBER_DEVICE ReducedRow<N> reduced(const LayerRows<Extrema, N, fit>& rows, int r) {
    float below[N], above[N];
    ReducedRow<N> row;
    rows.load(BelowLayer{}, r, below);
    rows.load(MiddleLayer{}, r, row.middle);
    rows.load(AboveLayer{}, r, above);
#pragma unroll
    for (int c = 0; c < N; ++c) {
        row.outer[c] = joined(MinMax{below[c], below[c]}, above[c]);
        row.all[c] = joined(row.outer[c], row.middle[c]);
    }
    return row;
}

template <int N, Fit fit>
CAMBER_DEVICE MinMax beside(const LayerRows<Extrema, N, fit>& rows, int r) {
    const float below = rows.beside(BelowLayer{}, r);
    const float middle = rows.beside(MiddleLayer{}, r);
    const float above = rows.beside(AboveLayer{}, r);
    return joined(joined(MinMax{below, below}, above), middle);
}

// Many threads with few registers keep more loads in flight than few threads with many. Therefore
// launch bounds limit the registers so that this many threads share an SM, and the loop processes
// one row at a time.
template <Fit fit>
inline constexpr int resident_threads = fit == Fit::exact ? 1024 : 512;

template <int Rows, int Threads, Fit fit>
__global__ void __launch_bounds__(Threads, resident_threads<fit> / Threads)
    row_slide_kernel(const Views<Extrema> views) {
    constexpr int N = 4;
    const int row = (blockIdx.y * blockDim.y + threadIdx.y) * Rows;
    const int column = (blockIdx.x * blockDim.x + threadIdx.x) * N;
    const int lane = threadIdx.x % warpSize;
    const LayerRows<Extrema, N, fit> rows(views, row, column);

    ReducedRow<N> upper = reduced(rows, -1);
    ReducedRow<N> own = reduced(rows, 0);
    MinMax upper_beside = beside(rows, -1);
    MinMax own_beside = beside(rows, 0);
#pragma unroll 1
    for (int r = 0; r < Rows; ++r) {
        const ReducedRow<N> lower = reduced(rows, r + 1);
        const MinMax lower_beside = beside(rows, r + 1);
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
            return extremum(own.middle[c], joined(others[c], sides_of(column_of, left, right, c)));
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

namespace camber::extrema {

namespace {

const Registration extrema_variants([](Registry& registry) {
    Catalogue<Extrema> catalogue(registry, "extrema", ElementType::float32);
    AllTechniques::add_to(catalogue);
    RowSlide::add(catalogue);
});

}  // namespace
}  // namespace camber::extrema
