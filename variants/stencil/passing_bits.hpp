// Streams of one-bit cells through the registers of a warp, generation by generation: common parts
// of the techniques that compute several generations per launch on one-bit cells.
//
// A lane has four words of a row, 128 cells. If words are stored in strips (s4), the neighbors of a
// word are in other words of the lane, except at the first and the last word; in row order (s1),
// every word needs two shifts. The lanes form a cycle: the last lane has no cells of its own, but
// cells to the right of the warp in its lower half and cells to the left in its upper half, which
// suffice for 64 generations. So 31 of 32 lanes compute stored cells.
//
// Each generation stores the sums of the two latest rows. An incoming row is replaced by the row
// above it, one generation later, and then enters the next generation.
//
// Two rows at a time, for rules that compute two adjacent rows with fewer operations than one row and
// another: a generation stores five words per word of a lane, as if it processed single rows: the row
// sums of the two latest rows, and the latest row itself.
#pragma once

#include <cstdint>
#include <string>

#include "harness/base/layout.hpp"
#include "variants/stencil/views.hpp"

CAMBER_TARGET_BEGIN

inline constexpr int words_per_lane = 4;
inline constexpr int storing_lanes = 31;

// Returns a value below 8 that is equal for all lanes of a warp. It is computed by votes of all
// lanes: the compiler knows that their results are equal for all lanes, so that it can store what
// depends on them in uniform registers, and need not expect lanes to diverge.
CAMBER_DEVICE int uniform(unsigned value) {
    int result = 0;
#pragma unroll
    for (int bit = 0; bit < 3; ++bit)
        if (__ballot_sync(0xffffffffu, static_cast<int>(value >> bit & 1u)) != 0)
            result |= 1 << bit;
    return result;
}

// Words of one row that belong to one lane.
struct LaneRow {
    std::uint32_t word[words_per_lane];
};

// Words of a row adjacent to a lane's own words.
struct Beside {
    std::uint32_t before;
    std::uint32_t after;

    CAMBER_DEVICE static Beside of(const LaneRow& row) {
        const int lane = threadIdx.x % 32u;
        return {__shfl_sync(0xffffffffu, row.word[words_per_lane - 1], (lane + 31) % 32),
                __shfl_sync(0xffffffffu, row.word[0], (lane + 1) % 32)};
    }
};

// One generation of a lane's cells in a stream of rows.
template <class Rule>
class PassingRow {
  public:
    // Takes the next row and replaces it by the row above, one generation later. `beside` contains
    // the adjacent words of this row from the previous and the next lane.
    CAMBER_DEVICE void pass(LaneRow& row, const Beside& beside, const typename Rule::Adder& adder) {
        LaneRow result;
#pragma unroll
        for (int w = 0; w < words_per_lane; ++w) {
            const std::uint32_t l = left(row, w, beside.before);
            const std::uint32_t r = right(row, w, beside.after);
            const Sum sum = Rule::row_sum(l, row.word[w], r);
            result.word[w] = adder.next_of(above_[w], own_[w], sum, self_.word[w],
                                           Rule::parity(above_[w].ones, own_[w].ones, sum.ones));
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

    // Left neighbors of a word's cells.
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

// All generations of a warp's cells. They are divided into `Stages` parts, each of which processes
// a different row. No part depends on another part's results in the same turn, so a warp has that
// many independent dependency chains.
template <class Rule, int Generations, int Stages = 1>
class PassingBits {
  public:
    static_assert(Generations % Stages == 0);
    static constexpr int generations = Generations;
    static constexpr int rows = 1;  // of one pass
    static constexpr int per_stage = Generations / Stages;
    // Delay in rows between an incoming row and its result after all generations.
    static constexpr int behind = Stages - 1 + Generations;
    // Unroll factor. The sums of a row become those of the row above one row later and are
    // discarded after another row; unrolled six times, they need no register copies. Two rows are a
    // third of the code and spend an eighth of their instructions on copies. With tests for the
    // board's edge the code is too long for six rows.
    template <bool closed>
    static constexpr int rows_at_once = Stages > 1 && !closed ? 6 : 2;

    // The end of a variant's path: "/p4".
    static std::string path() { return Stages > 1 ? "/p" + std::to_string(Stages) : ""; }

    CAMBER_DEVICE explicit PassingBits(const typename Rule::Parameters& parameters)
        : adder_(Rule::adder(parameters)) {}

    // Replaces the row by the result that is `behind` rows behind it. keep(cells, rows) is called
    // for every row that a generation computes, `rows` rows behind the pass' last incoming one.
    template <class Keep>
    CAMBER_DEVICE void pass(LaneRow (&row)[rows], const Keep& keep) {
        under_way_[0] = row[0];
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
        row[0] = under_way_[Stages - 1];
#pragma unroll
        for (int s = Stages - 1; s > 0; --s) under_way_[s] = under_way_[s - 1];
    }

  private:
    const typename Rule::Adder adder_;
    PassingRow<Rule> generation_[Generations];
    LaneRow under_way_[Stages] = {};
};

// Columns of the board that a warp processes: loads and stores of its rows.
template <class Rule>
class WarpColumns {
  public:
    static constexpr int N = words_per_lane;
    static constexpr int strip_words = Rule::words_per_group;

    // `strip` is the index of the strip of 31 lanes on the board.
    CAMBER_DEVICE WarpColumns(const Views<Rule>& views, int strip)
        : views_(views),
          lane_(threadIdx.x % 32u),
          strip_(strip),
          column_((strip * storing_lanes + lane_) * N) {}

    // True if all rows that the warp reads, including `generations` rows around its stored rows,
    // are on the board, so that no cell must be forced dead.
    CAMBER_DEVICE bool inside(int first_row, int end_row, int generations) const {
        return strip_ > 0 && first_row >= generations && end_row + generations <= views_.rows &&
               BitOrder{strip_words}.column((strip_ + 1) * storing_lanes * N + N - 1, 31) <
                   views_.parameters.columns;
    }

    CAMBER_DEVICE int column() const { return column_; }  // first word of the lane

    // Loaded words of a lane for one row. They remain untouched until the row is used; otherwise
    // the warp would stall on memory, and few other warps are resident to hide the latency.
    struct Loaded {
        LaneRow own = {};
        LaneRow left = {};  // in the last lane only
    };
    // Loads a row from `source`, a grid or a window of one; row and column are those of the lane's
    // first word there.
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
        const std::uint32_t exists = row >= 0 && row < views_.rows ? ~0u : 0;
#pragma unroll
        for (int w = 0; w < N; ++w) cells.word[w] &= mask.word[w] & exists;
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
    // Word w of the lane's row: from `right`, except in the last lane, whose lower half contains
    // the cells right of the warp and whose upper half contains those left of it.
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
    int column_;  // word index
};

// One generation of a lane's cells in a stream of pairs of rows. Neighbors of the lane's first and
// last word are `shift` bits away in its last and first word, and in the adjacent lanes' words.
// With a shift of 32, they are in the adjacent lanes' words only.
template <class Rule, int shift>
class PassingPair {
  public:
    // Takes the next two rows and replaces them by the rows that are one row above them, one
    // generation later.
    CAMBER_DEVICE void pass(LaneRow& upper, LaneRow& lower, const Beside& beside_upper,
                            const Beside& beside_lower, const typename Rule::Adder& adder) {
        LaneRow upper_result, lower_result;
#pragma unroll
        for (int w = 0; w < words_per_lane; ++w) {
            const Sum sums[4] = {above_[w], own_[w], sum(upper, beside_upper, w),
                                 sum(lower, beside_lower, w)};
            const typename Rule::RowPair next =
                adder.next_pair(sums, {self_.word[w], upper.word[w]});
            upper_result.word[w] = next.upper;
            lower_result.word[w] = next.lower;
            above_[w] = sums[2];
            own_[w] = sums[3];
        }
        self_ = lower;
        upper = upper_result;
        lower = lower_result;
    }

  private:
    using Sum = typename Rule::RowSum;

    CAMBER_DEVICE static Sum sum(const LaneRow& row, const Beside& beside, int w) {
        constexpr int last = words_per_lane - 1;
        const std::uint32_t left =
            w > 0 ? row.word[w - 1] : shifted_up(row.word[last], beside.before);
        const std::uint32_t right =
            w < last ? row.word[w + 1] : shifted_down(row.word[0], beside.after);
        return Rule::row_sum(left, row.word[w], right);
    }
    CAMBER_DEVICE static std::uint32_t shifted_up(std::uint32_t word, std::uint32_t before) {
        if constexpr (shift == 32)
            return before;
        else
            return word << shift | before >> (32 - shift);
    }
    CAMBER_DEVICE static std::uint32_t shifted_down(std::uint32_t word, std::uint32_t after) {
        if constexpr (shift == 32)
            return after;
        else
            return word >> shift | after << (32 - shift);
    }

    Sum above_[words_per_lane] = {};
    Sum own_[words_per_lane] = {};
    LaneRow self_ = {};
};

// All generations of a warp's one-bit cells, two rows at a time; otherwise as PassingBits.
template <class Rule, int Generations, int Stages = 1>
class PassingPairs {
  public:
    static_assert(Generations % Stages == 0);
    static_assert(Rule::words_per_group == words_per_lane);
    static constexpr int generations = Generations;
    static constexpr int rows = 2;  // of one pass
    static constexpr int per_stage = Generations / Stages;
    static constexpr int behind = rows * (Stages - 1) + Generations;
    // Two pairs: the sums of the first become those of the rows above the second.
    template <bool closed>
    static constexpr int rows_at_once = 4;

    // The end of a variant's path: "/pairs".
    static std::string path() {
        return "/pairs" + (Stages > 1 ? "/p" + std::to_string(Stages) : std::string());
    }

    CAMBER_DEVICE explicit PassingPairs(const typename Rule::Parameters& parameters)
        : adder_(Rule::adder(parameters)) {}

    template <class Keep>
    CAMBER_DEVICE void pass(LaneRow (&row)[rows], const Keep& keep) {
        upper_[0] = row[0];
        lower_[0] = row[1];
#pragma unroll
        for (int step = 0; step < per_stage; ++step) {
            Beside beside_upper[Stages], beside_lower[Stages];
#pragma unroll
            for (int s = 0; s < Stages; ++s) {
                beside_upper[s] = Beside::of(upper_[s]);
                beside_lower[s] = Beside::of(lower_[s]);
            }
#pragma unroll
            for (int s = 0; s < Stages; ++s) {
                const int g = s * per_stage + step;
                generation_[g].pass(upper_[s], lower_[s], beside_upper[s], beside_lower[s], adder_);
                keep(upper_[s], rows * s + g + 2);
                keep(lower_[s], rows * s + g + 1);
            }
        }
        row[0] = upper_[Stages - 1];
        row[1] = lower_[Stages - 1];
#pragma unroll
        for (int s = Stages - 1; s > 0; --s) {
            upper_[s] = upper_[s - 1];
            lower_[s] = lower_[s - 1];
        }
    }

  private:
    const typename Rule::Adder adder_;
    PassingPair<Rule, 1> generation_[Generations];
    LaneRow upper_[Stages] = {};
    LaneRow lower_[Stages] = {};
};

CAMBER_TARGET_END
