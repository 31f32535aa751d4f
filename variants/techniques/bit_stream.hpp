// bit_stream: n generations per launch on cells of one bit. A warp goes down a stretch of the board
// row by row. Each generation holds the sums of the two rows that came last, in registers; a row
// that comes in leaves it as the row before, one generation on, and enters the next generation:
// memory is read once and written once in n generations, and no cell passes through shared memory.
// After AN5D (Matsumura et al. 2020), whose streams are of floating-point cells.
//
// A lane has four words of a row, 128 cells. Words in strips (s4) have their neighbours in other
// words of the lane, all but the first and the last; in the order of the row (s1) every word takes
// two shifts. The lanes stand in a ring: the last one has no cells of its own, but those to the
// right of the warp in its lower half and those to the left in its upper half, which are enough for
// 64 generations. So 31 of 32 lanes compute what is stored.
#pragma once

#include <cstdint>

#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

inline constexpr int words_per_lane = 4;
inline constexpr int storing_lanes = 31;

// The words of one row that a lane has.
struct LaneRow {
    std::uint32_t word[words_per_lane];
};

// The words of a row next to a lane's own.
struct Beside {
    std::uint32_t before;
    std::uint32_t after;

    CAMBER_DEVICE static Beside of(const LaneRow& row) {
        const int lane = threadIdx.x % 32u;
        return {__shfl_sync(0xffffffffu, row.word[words_per_lane - 1], (lane + 31) % 32),
                __shfl_sync(0xffffffffu, row.word[0], (lane + 1) % 32)};
    }
};

// One generation of a lane's cells, as its rows go by. `Multiplied`: how many of a word's logic
// operations are multiply-adds instead.
template <class Rule, int Multiplied>
class PassingGeneration {
  public:
    // Takes the next row, makes of it the row above, one generation on. `beside`: what the lanes
    // before and after have next to this one's words.
    CAMBER_DEVICE void pass(LaneRow& row, const Beside& beside, const typename Rule::Adder& adder) {
        LaneRow result;
#pragma unroll
        for (int w = 0; w < words_per_lane; ++w) {
            const std::uint32_t l = left(row, w, beside.before);
            const std::uint32_t r = right(row, w, beside.after);
            Sum sum = Rule::row_sum(l, row.word[w], r);
            if constexpr (Multiplied > 1) sum.ones = adder.ones(l, row.word[w], r, sum.twos);
            result.word[w] = next(above_[w], own_[w], sum, self_.word[w], adder);
            above_[w] = own_[w];
            own_[w] = sum;
        }
        self_ = row;
        row = result;
    }

  private:
    using Sum = typename Rule::RowSum;
    static constexpr bool strips = Rule::words_per_group == words_per_lane;
    static_assert(strips || Rule::words_per_group == 1);

    CAMBER_DEVICE static std::uint32_t next(const Sum& above, const Sum& own, const Sum& below,
                                            std::uint32_t self, const typename Rule::Adder& adder) {
        if constexpr (Multiplied == 0)
            return adder.next_of(above, own, below, self,
                                 Rule::parity(above.ones, own.ones, below.ones));
        const std::uint32_t carry = Rule::majority(above.ones, own.ones, below.ones);
        return adder.next_of(above, own, below, self,
                             adder.ones(above.ones, own.ones, below.ones, carry));
    }

    // The cells to the left of those of a word.
    CAMBER_DEVICE static std::uint32_t left(const LaneRow& row, int w, std::uint32_t before) {
        if (strips && w > 0) return row.word[w - 1];
        const std::uint32_t shifted = strips ? row.word[words_per_lane - 1] : row.word[w];
        return shifted << 1 | (w == 0 ? before : row.word[w - 1]) >> 31;
    }
    CAMBER_DEVICE static std::uint32_t right(const LaneRow& row, int w, std::uint32_t after) {
        if (strips && w < words_per_lane - 1) return row.word[w + 1];
        const std::uint32_t shifted = strips ? row.word[0] : row.word[w];
        return shifted >> 1 | (w == words_per_lane - 1 ? after : row.word[w + 1]) << 31;
    }

    Sum above_[words_per_lane] = {};
    Sum own_[words_per_lane] = {};
    LaneRow self_ = {};
};

// A warp's stretch of the board: `Rows` rows of 31 lanes' words. `Stages`: into how many parts the
// generations are divided, each at a row of its own. No part waits for what another computes or
// shuffles in the same turn, so a warp has that many chains of operations to choose from.
template <class Rule, int Generations, int Rows, int Multiplied, int Stages>
class BitStream {
  public:
    static_assert(Generations % Stages == 0);
    static constexpr int per_stage = Generations / Stages;
    static constexpr int delay = Stages - 1;  // in rows, from what is loaded to what is stored
    static constexpr int N = words_per_lane;
    static constexpr int strip_words = Rule::words_per_group;
    static constexpr int rows_ahead = 2;  // that are under way from memory
    using Tag = typename Rule::Inputs::template At<0>;

    CAMBER_DEVICE explicit BitStream(const Views<Rule>& views)
        : views_(views),
          lane_(threadIdx.x % 32u),
          first_row_(blockIdx.y * Rows),
          column_((blockIdx.x * storing_lanes + lane_) * N),
          end_row_(first_row_ + Rows < views.rows ? first_row_ + Rows : views.rows) {}

    // Whether all that the warp reads is on the board: no cell of its is kept dead.
    CAMBER_DEVICE bool inside() const {
        return blockIdx.x > 0 && first_row_ >= Generations &&
               end_row_ + Generations <= views_.rows &&
               BitOrder{strip_words}.column(
                   static_cast<int>(blockIdx.x + 1) * storing_lanes * N + N - 1, 31) <
                   views_.parameters.columns;
    }

    // `closed`: cells beyond the board's edge are dead, and stay so.
    template <bool closed>
    CAMBER_DEVICE void run() const {
        PassingGeneration<Rule, Multiplied> generation[Generations];
        const typename Rule::Adder adder = Rule::adder(views_.parameters);
        LaneRow mask;
        if constexpr (closed) mask = on_board();
        LaneRow under_way[Stages] = {};
        // Rows in turn, so that sums stay in their registers: a row's sums are those of the row
        // above one row later and are given up another row later, which no register notices after
        // six. Two rows take a third of the code and an eighth of their instructions to copy.
        constexpr int at_once = Stages > 1 && !closed ? 6 : 2;
        static_assert(at_once % rows_ahead == 0);
        Loaded coming[rows_ahead];
#pragma unroll
        for (int i = 0; i < rows_ahead; ++i) coming[i] = load(first_row_ - Generations + i);
        const int end = end_row_ + Generations + delay;
#pragma unroll 1
        for (int row = first_row_ - Generations; row < end; row += at_once) {
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                under_way[0] = joined(coming[i % rows_ahead]);
                coming[i % rows_ahead] = load(row + i + rows_ahead);
#pragma unroll
                for (int step = 0; step < per_stage; ++step) {
                    Beside beside[Stages];
#pragma unroll
                    for (int s = 0; s < Stages; ++s) beside[s] = Beside::of(under_way[s]);
#pragma unroll
                    for (int s = 0; s < Stages; ++s) {
                        const int g = s * per_stage + step;
                        generation[g].pass(under_way[s], beside[s], adder);
                        if constexpr (closed) keep_dead(under_way[s], mask, row + i - s - g - 1);
                    }
                }
                store(under_way[delay], row + i - delay - Generations);
#pragma unroll
                for (int s = delay; s > 0; --s) under_way[s] = under_way[s - 1];
            }
        }
    }

  private:
    // What a lane loads of a row. Nothing is done with it before its turn: the warp would wait for
    // memory, and few warps are there to take its place.
    struct Loaded {
        LaneRow own = {};
        LaneRow left = {};  // of the last lane alone
    };
    CAMBER_DEVICE Loaded load(int row, Site site = Site::current()) const {
        const CallPath path(site);
        const Site own_site = Site::current();
        const Site left_site = Site::current();
        Loaded loaded;
        const bool exists = row < end_row_ + Generations;
        if (exists && column_ <= views_.columns)
            take(loaded.own, row, column_, own_site);
        else
            skip(own_site);
        if (exists && lane_ == storing_lanes)
            take(loaded.left, row, column_ - 32 * N, left_site);
        else
            skip(left_site);
        return loaded;
    }
    CAMBER_DEVICE void take(LaneRow& cells, int row, int column, Site site) const {
        const Pack<std::uint32_t, N> words = pack<N>(views_.input(Tag{}), row, column, site);
#pragma unroll
        for (int w = 0; w < N; ++w) cells.word[w] = words[w];
    }
    CAMBER_DEVICE LaneRow joined(const Loaded& loaded) const {
        LaneRow cells;
#pragma unroll
        for (int w = 0; w < N; ++w) cells.word[w] = of_halves(loaded.own, loaded.left, w);
        return cells;
    }
    // A word of the first, but in the last lane, where the warp's right side is in the lower half
    // of the cells and its left side in the upper one.
    CAMBER_DEVICE std::uint32_t of_halves(const LaneRow& right, const LaneRow& left, int w) const {
        const bool words_whole = strip_words == 1;
        if (words_whole && w < N / 2) return right.word[w];
        const std::uint32_t lower = words_whole ? 0 : 0x0000ffffu;
        const std::uint32_t mask = lane_ == storing_lanes ? lower : 0xffffffffu;
        return (right.word[w] & mask) | (left.word[w] & ~mask);
    }

    CAMBER_DEVICE LaneRow on_board() const {
        LaneRow right, left;
        const int columns = views_.parameters.columns;
#pragma unroll
        for (int w = 0; w < N; ++w) {
            right.word[w] = BitOrder{strip_words}.on_board(column_ + w, columns);
            left.word[w] = BitOrder{strip_words}.on_board(column_ - 32 * N + w, columns);
        }
        return joined({right, left});
    }
    CAMBER_DEVICE void keep_dead(LaneRow& cells, const LaneRow& mask, int row) const {
        const bool exists = row >= 0 && row < views_.rows;
#pragma unroll
        for (int w = 0; w < N; ++w) cells.word[w] = exists ? cells.word[w] & mask.word[w] : 0;
    }

    CAMBER_DEVICE void store(const LaneRow& cells, int row, Site site = Site::current()) const {
        const CallPath path(site);
        const Site at = Site::current();
        if (row < first_row_ || row >= end_row_ || lane_ == storing_lanes ||
            column_ >= views_.columns) {
            skip(at);
            return;
        }
        Pack<std::uint32_t, N> words;
#pragma unroll
        for (int w = 0; w < N; ++w) words[w] = cells.word[w];
        store_pack(get<0>(views_.outputs), row, column_, words, at);
    }

    const Views<Rule>& views_;
    int lane_;
    int first_row_;
    int column_;  // in words
    int end_row_;
};

template <class Rule, int Generations, int Rows, int Multiplied, int Stages, Boundary boundary>
__global__ void __launch_bounds__(32) bit_stream_kernel(const Views<Rule> views) {
    const BitStream<Rule, Generations, Rows, Multiplied, Stages> stream(views);
    if (boundary == Boundary::torus || stream.inside())
        stream.template run<false>();
    else
        stream.template run<true>();
}

struct BitStreams {
    static constexpr TechniqueInfo info{
        "bit_stream", "n generations per launch, rows of bits through registers, n deep",
        "after Matsumura et al. 2020", Family::several_generations};

    // In the rule's order of bits.
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(info, variant<Rule, 8, 64>());
        // So long that a board of 65536x65536 has a stretch for every warp that a GPU of 132
        // multiprocessors holds at once, as far as their registers allow.
        catalogue.add(info, variant<Rule, 8, 1064>());
        catalogue.add(info, variant<Rule, 8, 1064, 0, 4>());
        catalogue.add(info, variant<Rule, 8, 1064, 1, 4>());
        // Where neighbours take no shift: kernels take long to compile.
        if constexpr (Rule::words_per_group == words_per_lane) {
            catalogue.add(info, variant<Rule, 8, 64, 0, 4>());
            catalogue.add(info, variant<Rule, 8, 360, 0, 4>());
            catalogue.add(info, variant<Rule, 8, 360, 1, 4>());
            catalogue.add(info, variant<Rule, 8, 1064, 2, 4>());
        }
    }

  private:
    // A block is a warp: as many as registers allow are resident, and none waits for another.
    template <class Rule, int Generations, int Rows, int Multiplied = 0, int Stages = 1>
    static StencilVariant<Rule> variant() {
        constexpr Region block{32, 1};
        return {
            .shape = {.block = block,
                      .region = {storing_lanes * words_per_lane, Rows},
                      .halo = Generations,
                      .alignment = 128,
                      .elements_per_thread = words_per_lane * Rows,
                      .generations = Generations,
                      .path = block.name() + "/s" + std::to_string(Rule::words_per_group) + "/n" +
                              std::to_string(Generations) + "/r" + std::to_string(Rows) +
                              (Multiplied > 0 ? "/m" + std::to_string(Multiplied) : "") +
                              (Stages > 1 ? "/p" + std::to_string(Stages) : "")},
            .kernel =
                {bit_stream_kernel<Rule, Generations, Rows, Multiplied, Stages, Boundary::dead>},
            .torus_kernel = {
                bit_stream_kernel<Rule, Generations, Rows, Multiplied, Stages, Boundary::torus>}};
    }
};

CAMBER_TARGET_END
