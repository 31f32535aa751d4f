// Rows of bits that pass through the registers of a warp, generation by generation: what techniques
// of several generations per launch on cells of one bit have in common.
//
// A lane has four words of a row, 128 cells. Words in strips (s4) have their neighbors in other
// words of the lane, except the first and the last; in row order (s1) every word takes two shifts.
// The lanes form a cycle: the last one has no cells of its own, but cells to the right of the warp
// in its lower half and cells to the left in its upper half, which suffice for 64 generations. So
// 31 of 32 lanes compute stored cells.
//
// Each generation holds the sums of the two rows that came last; a row that comes in leaves it as
// the row before, one generation on, and enters the next generation.
#pragma once

#include <cstdint>

#include "harness/base/layout.hpp"
#include "variants/stencil/views.hpp"

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

// All generations of a warp's cells. `Stages`: into how many parts they are divided, each at a row
// of its own. No part waits for what another computes or shuffles in the same turn, so a warp has
// that many chains of operations to choose from.
template <class Rule, int Generations, int Multiplied, int Stages>
class PassingBits {
  public:
    static_assert(Generations % Stages == 0);
    static constexpr int per_stage = Generations / Stages;
    // How many rows later than it came a row is made, all generations on.
    static constexpr int behind = Stages - 1 + Generations;
    // Rows in turn, so that sums stay in their registers: a row's sums are those of the row above
    // one row later and are given up another row later, which no register notices after six. Two
    // rows take a third of the code and an eighth of their instructions to copy. Where the board's
    // edge is looked for, the code is long as it is.
    template <bool closed>
    static constexpr int rows_at_once = Stages > 1 && !closed ? 6 : 2;

    CAMBER_DEVICE explicit PassingBits(const typename Rule::Parameters& parameters)
        : adder_(Rule::adder(parameters)) {}

    // Takes a row, and makes the one that is `behind` rows behind it. `keep(cells, rows)` is called
    // for every row that a generation makes, so many rows behind that which came.
    template <class Keep>
    CAMBER_DEVICE LaneRow pass(const LaneRow& row, const Keep& keep) {
        under_way_[0] = row;
#pragma unroll
        for (int step = 0; step < per_stage; ++step) {
            Beside beside[Stages];
#pragma unroll
            for (int s = 0; s < Stages; ++s) beside[s] = Beside::of(under_way_[s]);
#pragma unroll
            for (int s = 0; s < Stages; ++s) {
                const int g = s * per_stage + step;
                generation_[g].pass(under_way_[s], beside[s], adder_);
                keep(under_way_[s], s + g + 1);
            }
        }
        const LaneRow made = under_way_[Stages - 1];
#pragma unroll
        for (int s = Stages - 1; s > 0; --s) under_way_[s] = under_way_[s - 1];
        return made;
    }

  private:
    const typename Rule::Adder adder_;
    PassingGeneration<Rule, Multiplied> generation_[Generations];
    LaneRow under_way_[Stages] = {};
};

// A warp's columns of the board, between two rows that it stores.
template <class Rule>
class WarpColumns {
  public:
    static constexpr int N = words_per_lane;
    static constexpr int strip_words = Rule::words_per_group;

    // `strip`: which of the board's strips of 31 lanes.
    CAMBER_DEVICE WarpColumns(const Views<Rule>& views, int strip)
        : views_(views),
          lane_(threadIdx.x % 32u),
          strip_(strip),
          column_((strip * storing_lanes + lane_) * N) {}

    // True if everything that the warp reads, `generations` rows around its stored rows, is on the
    // board, so that no cell must be forced dead.
    CAMBER_DEVICE bool inside(int first_row, int end_row, int generations) const {
        return strip_ > 0 && first_row >= generations && end_row + generations <= views_.rows &&
               BitOrder{strip_words}.column((strip_ + 1) * storing_lanes * N + N - 1, 31) <
                   views_.parameters.columns;
    }

    CAMBER_DEVICE int column() const { return column_; }  // of the lane's first word

    // Loads of a lane for one row. They stay unused until the row's turn: the warp would stall on
    // memory, and few other warps are resident to hide that.
    struct Loaded {
        LaneRow own = {};
        LaneRow left = {};  // of the last lane alone
    };
    // `source`: a grid, or a window of one; row and column of the first word of the lane there.
    template <class Source>
    CAMBER_DEVICE Loaded load(const Source& source, int row, int column, bool exists,
                              Site site = Site::current()) const {
        const CallPath path(site);
        const Site own_site = Site::current();
        const Site left_site = Site::current();
        Loaded loaded;
        if (exists && column_ <= views_.columns)
            take(loaded.own, source, row, column, own_site);
        else
            skip(own_site);
        if (exists && lane_ == storing_lanes)
            take(loaded.left, source, row, column - 32 * N, left_site);
        else
            skip(left_site);
        return loaded;
    }
    CAMBER_DEVICE LaneRow joined(const Loaded& loaded) const {
        LaneRow cells;
#pragma unroll
        for (int w = 0; w < N; ++w) cells.word[w] = of_halves(loaded.own, loaded.left, w);
        return cells;
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

    template <class Target>
    CAMBER_DEVICE void store(const LaneRow& cells, const Target& target, int row, int column,
                             bool wanted, Site site = Site::current()) const {
        const CallPath path(site);
        const Site at = Site::current();
        if (!wanted || lane_ == storing_lanes || column_ >= views_.columns) {
            skip(at);
            return;
        }
        Pack<std::uint32_t, N> words;
#pragma unroll
        for (int w = 0; w < N; ++w) words[w] = cells.word[w];
        store_pack(target, row, column, words, at);
    }

  private:
    template <class Source>
    CAMBER_DEVICE static void take(LaneRow& cells, const Source& source, int row, int column,
                                   Site site) {
        const Pack<std::uint32_t, N> words = pack<N>(source, row, column, site);
#pragma unroll
        for (int w = 0; w < N; ++w) cells.word[w] = words[w];
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

    const Views<Rule>& views_;
    int lane_;
    int strip_;
    int column_;  // in words
};

CAMBER_TARGET_END
