// Larger than Life by running sums in registers.
#include <algorithm>
#include <cstdint>

#include "variants/life/larger_than_life/byte_words.hpp"
#include "variants/stencil/catalogue.hpp"

// column_sums: running sums in registers. A warp moves down a stretch of the board. A lane has
// sixteen columns and, in one byte each, the sums of their cells within the radius of the row; one
// 32-bit addition and one subtraction move four of them to the next row. Along the row, the sum of
// a square follows from the previous square's by adding the entering column and subtracting the
// leaving one, with 16 bits per sum, two in a word. Columns of other lanes come by shuffles; the
// first and the last lane only provide such columns, so 30 of 32 lanes store cells. No shared
// memory, and the same work per cell at every radius. Running sums are those of box filters
// (McDonnell 1981); several numbers in a word: Lamport 1975.
//
// Instructions per lane for a row of sixteen cells, at radius 5: 4 to move the column sums; 4
// shuffles and 8 byte selections for the entering and leaving columns; 4 dot products, a shuffle
// and 2 more for the first sum; 28 for the running sums, 7 per word; 48 for the rule; 3 loads, 1
// store and about 10 for addresses and the loop. These are 113 for 16 cells in 30 of 32 lanes: 7.5
// per cell, and 8.1 at radius 15, where the radius reaches more words. An H200 issues 30 T
// instructions per second, enough for 3.7 T cells; its memory moves 2.1 T cells with one byte read
// and one written. Measured at radius 5 with r64: 12.1 instructions per cell, because rows above
// and below the stretch are also summed, and on an H100 1.6 times the minimum DRAM traffic, because
// L2 does not retain a row until it leaves the sums (results/experiments/h200-edges has the times).
CAMBER_WORKLOAD_BEGIN(larger_than_life)

// Kernel arguments in addition to the fields.
struct ColumnSums {
    PackedRule rule;
    int radius = 0;
    int rows = 0;  // rows per warp
    // Depend on the radius modulo 4: byte offsets of entering and leaving columns in a word, and
    // masks of the relevant bytes among the first and the last of the sixteen cells.
    std::uint32_t entering = 0;
    std::uint32_t leaving = 0;
    std::uint32_t first_bytes = 0;
    std::uint32_t last_bytes = 0;

    static ColumnSums of(const LargerThanLife::Parameters& parameters, int rows) {
        const unsigned part = static_cast<unsigned>(parameters.radius) % 4;
        return {.rule = PackedRule::of(parameters),
                .radius = parameters.radius,
                .rows = rows,
                .entering = 0x3210u + 0x1111u * part,
                .leaving = 0x3210u + 0x1111u * (3 - part),
                .first_bytes = 0x01010101u & ((1u << 8 * part) - 1),
                .last_bytes = 0x01010101u & (0xffffffffu << 8 * (3 - part))};
    }
};

inline constexpr int column_sums_lanes = 30;  // lanes that store cells

// `whole_words` is the radius / 4.
template <int whole_words, Fit fit>
class ColumnSumsWarp {
  public:
    static constexpr int W = 4;
    static constexpr int N = 4 * W;

    CAMBER_DEVICE ColumnSumsWarp(const Views<LargerThanLife>& views, const ColumnSums& with,
                                 int column)
        : views_(views), with_(with), load_(views, column), column_(column) {}

    // Computes rows [first, end) and columns from `first_column` on.
    CAMBER_DEVICE void run(int first, int end, int first_column) const {
        const int radius = with_.radius;
        const int lane = threadIdx.x % 32u;
        const bool stores = lane > 0 && lane < 31 && column_ >= first_column;
        Words<W> sums;
        for (int row = first - radius; row < first + radius; ++row) add(sums, load_(row));
        Words<W> leaves;
        Coming coming[ahead];
#pragma unroll
        for (int i = 0; i < ahead; ++i) coming[i] = load(first + i, end);
#pragma unroll 1
        for (int row = first; row < end; row += ahead) {
#pragma unroll
            for (int i = 0; i < ahead; ++i) {
                const Coming now = coming[i];
                coming[i] = load(row + i + ahead, end);
#pragma unroll
                for (int w = 0; w < W; ++w) sums.word[w] += now.enters.word[w] - leaves.word[w];
                leaves = now.leaves;
                const Words<W> next = next_row(sums, now.selves);
                store_words<W, fit>(stores && row + i < end, views_, row + i, column_, next);
            }
        }
    }

  private:
    static constexpr int ahead = 2;  // rows in flight

    // Loads for one row: the row that enters the sums, the row itself, and the row that then leaves
    // the sums.
    struct Coming {
        Words<W> enters;
        Words<W> selves;
        Words<W> leaves;
    };
    CAMBER_DEVICE Coming load(int row, int end, Site site = Site::current()) const {
        const CallPath path(site);
        const Site enters = Site::current();
        const Site selves = Site::current();
        const Site leaves = Site::current();
        if (row >= end) return {};
        return {load_(row + with_.radius, enters), load_(row, selves),
                load_(row - with_.radius, leaves)};
    }

    CAMBER_DEVICE static void add(Words<W>& sums, const Words<W>& cells) {
#pragma unroll
        for (int w = 0; w < W; ++w) sums.word[w] += cells.word[w];
    }

    // Words of this lane, and those of the previous and next lanes that the radius reaches.
    CAMBER_DEVICE Words<W> next_row(const Words<W>& sums, const Words<W>& selves) const {
        std::uint32_t before[2 * W + 1] = {};  // from word -1 of the previous lane on
        std::uint32_t after[2 * W + 1] = {};   // to word 0 of the lane behind the next one
#pragma unroll
        for (int w = 0; w < W; ++w) {
            if (w >= W - 1 - whole_words)
                before[w + 1] = __shfl_up_sync(0xffffffffu, sums.word[w], 1);
            before[W + w + 1] = sums.word[w];
            after[w] = sums.word[w];
            if (w <= whole_words) after[W + w] = __shfl_down_sync(0xffffffffu, sums.word[w], 1);
        }
        // Sum of the square around the cell before the first. At radius 16, the column that leaves
        // it first is two lanes away and excluded: before[0] is 0 then.
        const std::uint32_t square =
            __shfl_up_sync(0xffffffffu, last_cells(sums), 1) + first_cells(sums);
        // Running sum, replicated in both halves of a word.
        std::uint32_t both = square * 0x00010001u + with_.rule.offset;
        Words<W> next;
#pragma unroll
        for (int w = 0; w < W; ++w) {
            const std::uint32_t enter =
                __byte_perm(after[w + whole_words], after[w + whole_words + 1], with_.entering);
            const std::uint32_t leave = __byte_perm(before[w + W - whole_words],
                                                    before[w + W + 1 - whole_words], with_.leaving);
            // Byte differences plus 128, so that none is negative.
            const std::uint32_t change = enter + 0x80808080u - leave;
            const std::uint32_t even_change = change & 0x00ff00ffu;
            const std::uint32_t odd_change = __byte_perm(change, 0, 0x4341);
            const std::uint32_t pairs = even_change + odd_change - 0x01000100u;
            const std::uint32_t odd = pairs * 0x00010001u + both;
            const std::uint32_t even = odd - odd_change + 0x00800080u;
            next.word[w] = with_.rule.next_of(even, odd, selves.word[w]);
            both = __byte_perm(odd, 0, 0x3232);
        }
        return next;
    }

    // Sum of the lane's first `radius` columns.
    CAMBER_DEVICE std::uint32_t first_cells(const Words<W>& sums) const {
        std::uint32_t sum = 0;
#pragma unroll
        for (int w = 0; w < whole_words; ++w) sum = __dp4a(sums.word[w], ones, sum);
        if constexpr (whole_words < W) sum = __dp4a(sums.word[whole_words], with_.first_bytes, sum);
        return sum;
    }
    // Sum of the lane's last `radius` + 1 columns, or of all sixteen at radius 16.
    CAMBER_DEVICE std::uint32_t last_cells(const Words<W>& sums) const {
        std::uint32_t sum = 0;
#pragma unroll
        for (int w = W - whole_words; w < W; ++w) sum = __dp4a(sums.word[w], ones, sum);
        if constexpr (whole_words < W)
            sum = __dp4a(sums.word[W - 1 - whole_words], with_.last_bytes, sum);
        return sum;
    }

    static constexpr std::uint32_t ones = 0x01010101u;

    const Views<LargerThanLife>& views_;
    const ColumnSums& with_;
    WordLoader<W, fit> load_;
    int column_;
};

// Launch bound: as many one-warp blocks as fit on an SM, although the right edge would use more
// registers.
template <int whole_words>
__global__ void __launch_bounds__(32, 32)
    column_sums_kernel(const Views<LargerThanLife> views, const ColumnSums with) {
    constexpr int N = ColumnSumsWarp<whole_words, Fit::exact>::N;
    constexpr int width = column_sums_lanes * N;
    const int lane = threadIdx.x % 32u;
    const int strip = static_cast<int>(blockIdx.x) * width;
    const int last = views.columns - width;  // last column at which a whole strip can begin
    // If possible, the last strip begins earlier and overlaps columns that another warp stores.
    // With edge tests, its rows took longer and delayed the launch
    // (results/experiments/h200-edges).
    const bool moves = last >= 0 && views.columns % N == 0;
    const int column = (moves && strip > last ? last : strip) + (lane - 1) * N;
    const int first = blockIdx.y * with.rows;
    const int end = first + with.rows < views.rows ? first + with.rows : views.rows;
    if (moves || strip <= last)
        ColumnSumsWarp<whole_words, Fit::exact>(views, with, column).run(first, end, strip);
    else
        ColumnSumsWarp<whole_words, Fit::overhang>(views, with, column).run(first, end, strip);
}

class ColumnSumsStage final : public RuleStage<LargerThanLife> {
  public:
    ColumnSumsStage(const StageContext& context, const Shape& shape)
        : RuleStage<LargerThanLife>(context),
          shape_(covering(context.problem.size, shape)),
          with_(ColumnSums::of(LargerThanLife::parameters(context.problem.parameters),
                               shape.region.rows)) {}

    void enqueue(int number) override {
        launch(queue(), "stencil", shape_, kernel(), views(number), with_);
    }

  private:
    using OwnKernel = void (*)(Views<LargerThanLife>, ColumnSums);
    OwnKernel kernel() const {
        constexpr OwnKernel kernels[] = {column_sums_kernel<0>, column_sums_kernel<1>,
                                         column_sums_kernel<2>, column_sums_kernel<3>,
                                         column_sums_kernel<4>};
        static_assert(std::size(kernels) == largest_radius / 4 + 1);
        return kernels[with_.radius / 4];
    }

    LaunchShape shape_;
    ColumnSums with_;
};

struct ColumnSumsTechnique {
    static constexpr TechniqueInfo info{
        "column_sums", "running sums in registers, four columns in a word, sides by warp shuffles",
        "after McDonnell 1981 and Lamport 1975", Family::register_streaming};

    static void add(Catalogue<LargerThanLife>& catalogue) {
        for (const int rows : {32, 64, 128}) {
            constexpr int N = ColumnSumsWarp<0, Fit::exact>::N;
            StepPlan plan = Catalogue<LargerThanLife>::plan_of(
                info, {.block = {32, 1},
                       .region = {column_sums_lanes * N, rows},
                       .halo = largest_radius,
                       .alignment = 128,
                       .elements_per_thread = N * rows,
                       .path = "32x1/v" + std::to_string(N) + "/r" + std::to_string(rows)});
            plan.stand_in = {"halo", "64x4", 128};
            plan.make = StageMaker(makes<ColumnSumsStage>(plan.shape), largest_radius);
            catalogue.add(std::move(plan));
        }
    }
};

CAMBER_TARGET_END

namespace camber::larger_than_life {

namespace {

const Registration sums([](Registry& registry) {
    Catalogue<LargerThanLife> catalogue(registry, "larger_than_life", ElementType::uint8);
    ColumnSumsTechnique::add(catalogue);
});

}  // namespace
}  // namespace camber::larger_than_life
