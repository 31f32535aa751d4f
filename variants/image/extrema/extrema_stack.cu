// Extrema of a stack of layers, in every technique and by sliding down the rows.
#include <utility>

#include "variants/image/extrema/stack_rows.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/image/extrema/extrema.hpp"
#include "workloads/image/extrema/rule.hpp"

// stack_slide: extrema of a stack of layers by sliding down the rows. Rows of all layers arrive by
// bulk copies in a ring buffer, two rows ahead. A thread stores the cells of one row, and the
// extremes of the inner layers' triples in that row and the one above. Columns to the left and
// right come from other lanes' completed columns by shuffles, four per layer.
//
// Expected performance: the six layers and four results of a cell take 28 bytes, so a board of 4096
// x 4096 takes 110 us at an H200's copy bandwidth and 156 us at an H100's. Registers limit an SM to
// eight warps, whose loads into registers would keep too little memory traffic in flight; hence the
// bulk copies. Copies must begin and end at cache lines of 128 bytes: with one pack of 16 bytes
// beyond either side, they reach 84 % of the bandwidth of copies of whole lines
// (results/experiments/row_copies.txt). Copying whole lines on both sides adds a quarter to the
// data of a block of two warps, but reduces the time from 148 us to 123 on an H200
// (results/experiments/h200-edges) and from 196 to 167 on an H100 (results/experiments/h100-edges).
CAMBER_WORKLOAD_BEGIN(extrema)

using SixLayers = ExtremaStack<stack_layers>;
inline constexpr int inner_layers = stack_layers - 2;

// Maximum and minimum over layers m to m + 2, for every inner layer. Two neighboring triples share
// the pair in their middle.
template <int N>
CAMBER_DEVICE void reduce_triples(const float (&cells)[stack_layers][N],
                                  MinMax (&triples)[inner_layers][N]) {
    static_assert(inner_layers % 2 == 0);
#pragma unroll
    for (int c = 0; c < N; ++c)
#pragma unroll
        for (int m = 0; m < inner_layers; m += 2) {
            const MinMax pair = joined(MinMax{cells[m + 1][c], cells[m + 1][c]}, cells[m + 2][c]);
            triples[m][c] = joined(pair, cells[m][c]);
            triples[m + 1][c] = joined(pair, cells[m + 3][c]);
        }
}

template <int N>
using StackResults = decltype(SixLayers::Stack::Result{})[N];

// Results of one inner layer in a row, from the rows above, beside and below it. A cell is compared
// with each group of its neighbors separately.
template <int m, int N>
CAMBER_DEVICE void extrema_of_row(const float (&own)[stack_layers][N],
                                  const MinMax (&upper)[inner_layers][N],
                                  const MinMax (&beside)[inner_layers][N],
                                  const MinMax (&lower)[inner_layers][N], MinMax edge,
                                  StackResults<N>& results) {
    const int lane = threadIdx.x % warpSize;
    MinMax column_of[N];  // all nine cells of each column
    std::uint32_t peak[N], pit[N];
#pragma unroll
    for (int c = 0; c < N; ++c) {
        const float cell = own[m + 1][c];
        const MinMax outside = joined(upper[m][c], lower[m][c]);
        column_of[c] = joined(outside, beside[m][c]);
        peak[c] = sign_if_less(outside.largest, cell) & sign_if_less(own[m][c], cell) &
                  sign_if_less(own[m + 2][c], cell);
        pit[c] = sign_if_less(cell, outside.smallest) & sign_if_less(cell, own[m][c]) &
                 sign_if_less(cell, own[m + 2][c]);
    }
    const MinMax before = extremes_of_lane_before(column_of[N - 1]);
    const MinMax after = extremes_of_lane_after(column_of[0]);
    const MinMax left_edge = lane == 0 ? edge : before;
    const MinMax right_edge = lane == warpSize - 1 ? edge : after;
#pragma unroll
    for (int c = 0; c < N; ++c) {
        const float cell = own[m + 1][c];
        const MinMax left = c == 0 ? left_edge : column_of[c == 0 ? 0 : c - 1];
        const MinMax right = c == N - 1 ? right_edge : column_of[c == N - 1 ? c : c + 1];
        peak[c] &= sign_if_less(left.largest, cell) & sign_if_less(right.largest, cell);
        pit[c] &= sign_if_less(cell, left.smallest) & sign_if_less(cell, right.smallest);
    }
    const auto bytes = bytes_of_signs(peak, pit);
#pragma unroll
    for (int c = 0; c < N; ++c) get<m>(results[c]) = static_cast<std::uint8_t>(bytes >> 8 * c);
}

// Moves down the rows of `source`, from row -1 on, and stores those from 0 on. The loop is unrolled
// over several rows; otherwise, the values that a row passes to the next one would be copied after
// each row.
template <int N, Fit fit, class Source>
CAMBER_DEVICE void slide(Source& source, const Views<SixLayers>& views, int row, int column,
                         int rows) {
    const EdgeLanes<stack_layers> lanes(threadIdx.x % warpSize);
    float own[stack_layers][N];
    MinMax upper_triples[inner_layers][N], own_triples[inner_layers][N];
    MinMax upper_edge, own_edge;
    source.take(-1, own, upper_edge);
    reduce_triples(own, upper_triples);
    source.take(0, own, own_edge);
    reduce_triples(own, own_triples);
#pragma unroll 4
    for (int r = 0; r < rows; ++r) {
        float lower[stack_layers][N];
        MinMax lower_triples[inner_layers][N], lower_edge;
        source.take(r + 1, lower, lower_edge);
        const MinMax edge = joined(joined(upper_edge, own_edge), lower_edge);
        reduce_triples(lower, lower_triples);
        StackResults<N> results;
        [&]<int... m>(std::integer_sequence<int, m...>) {
            (extrema_of_row<m>(own, upper_triples, own_triples, lower_triples,
                               lanes.of_layer(edge, m), results),
             ...);
        }
        (std::make_integer_sequence<int, inner_layers>());
        store_row<N, fit>(views, row + r, column, [&](int c) { return results[c]; });
#pragma unroll
        for (int m = 0; m < inner_layers; ++m)
#pragma unroll
            for (int c = 0; c < N; ++c) {
                upper_triples[m][c] = own_triples[m][c];
                own_triples[m][c] = lower_triples[m][c];
            }
        upper_edge = own_edge;
        own_edge = lower_edge;
#pragma unroll
        for (int l = 0; l < stack_layers; ++l)
#pragma unroll
            for (int c = 0; c < N; ++c) own[l][c] = lower[l][c];
    }
}

// The warps of a block are side by side and move down together. `Resident` is the minimum number of
// resident blocks per SM.
template <int warps, int Rows, int slots, int Resident>
__global__ void __launch_bounds__(32 * warps, Resident)
    stack_slide_kernel(const Views<SixLayers> views) {
    using Ring = LayerRing<stack_layers, warps, slots>;
    constexpr int N = Ring::pack_cells;
    __shared__ Ring ring;
    const int row = blockIdx.y * Rows;
    const int first_column = blockIdx.x * blockDim.x * N;
    const int column = first_column + threadIdx.x * N;
    const int rows = views.rows - row < Rows ? views.rows - row : Rows;
    if (first_column + 32 * warps * N <= views.columns) {
        CopiedLayers<stack_layers, warps, slots> layers(views, row, first_column, rows, ring);
        slide<N, Fit::exact>(layers, views, row, column, rows);
    } else {
        LoadedLayers<stack_layers, N, Fit::overhang> layers(views, row, column);
        slide<N, Fit::overhang>(layers, views, row, column, rows);
    }
}

struct StackSlide {
    static constexpr TechniqueInfo info{
        "stack_slide",
        "rows of all layers by bulk copies, triples of layers reduced, sides by shuffles",
        "after Lowe 2004, section 3.1; the reduction is camber's", Family::register_streaming};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(info, variant<2, 32>());
        catalogue.add(info, variant<2, 128>());
        catalogue.add(info, variant<4, 32>());
        catalogue.add(info, variant<4, 128>());
    }

  private:
    // Eight warps per SM: the maximum if a thread uses all the registers that it can have.
    template <int warps, int Rows>
    static StencilVariant<SixLayers> variant() {
        constexpr int slots = 2;
        constexpr int resident = 8 / warps;
        using Ring = LayerRing<stack_layers, warps, slots>;
        constexpr int N = Ring::pack_cells;
        const Region block{32 * warps, 1};
        return {.shape = {.block = block,
                          .region = {block.columns * N, block.rows * Rows},
                          .halo = Ring::packs_beside * N,
                          .alignment = 128,
                          .elements_per_thread = N * Rows,
                          .shared_bytes = Ring::bytes,
                          .path = block.name() + "/v" + std::to_string(N) + "/r" +
                                  std::to_string(Rows) + "/k" + std::to_string(slots)},
                .kernel = {stack_slide_kernel<warps, Rows, slots, resident>,
                           stack_slide_kernel<warps, Rows, slots, resident>},
                .needs = {bulk_copy_capability, "bulk copies into shared memory"}};
    }
};

CAMBER_TARGET_END

namespace camber::extrema {

// All inner layers of a stack at once: the sliding form reads every layer once.

namespace {

const Registration extrema_stack_variants([](Registry& registry) {
    Catalogue<ExtremaStack<stack_layers>> catalogue(registry, "extrema_stack", ElementType::float32,
                                                    "sliding");
    AllTechniques::add_to(catalogue);
    StackSlide::add(catalogue);
});

}  // namespace
}  // namespace camber::extrema
