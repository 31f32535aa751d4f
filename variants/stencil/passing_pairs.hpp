// Streams of one-bit cells through the registers of a warp, two rows at a time: counterpart of
// passing_bits.hpp for rules that compute two adjacent rows with fewer operations than one row and
// another.
//
// A generation stores five words per word of a lane, as if it processed single rows: the row sums
// of the two latest rows, and the latest row itself.
#pragma once

#include "variants/stencil/passing_bits.hpp"

CAMBER_TARGET_BEGIN

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
