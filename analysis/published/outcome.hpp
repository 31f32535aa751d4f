// Outcome of a published statement: whether measured times confirm or reverse it, and whether a
// predicted ratio explains it. Every comparison with a publication uses these rules and words.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace camber::published {

// What became of a published statement: one rule and its words, wherever one is judged.

// Nanoseconds per generation: a list of samples for each process that measured.
using ProcessSamples = std::vector<std::vector<double>>;

// The median of the processes' medians.
double typical_time(const ProcessSamples& samples);

enum class Fate { holds, reversed, no_difference, undecided };

// "holds", "reversed", "no difference", "not decidable": not both were measured.
std::string_view name(Fate fate);

struct Interval {
    double low = 0;
    double high = 0;
};

// Two times closer than this share make no difference.
inline constexpr double equal_share = 0.03;

// Of the statement that something is faster. `ratio`: how often faster it was measured to be, above
// 0; `interval`: of that. No difference: the ratio lies within equal_share of 1, at most 1 +
// equal_share and at least its inverse, or the interval holds 1.
Fate fate_of(double ratio, const std::optional<Interval>& interval);

// How often faster one is than another, and the fate of the statement that it is.
struct Judged {
    Fate fate = Fate::undecided;
    std::optional<double> ratio;
    std::optional<Interval> interval;  // 95 %
};

// Undecided where one of them is null.
Judged judge(const ProcessSamples* faster, const ProcessSamples* than);

// What a model of time makes of a published order: whether it explains it.

// How often faster one is predicted to be than another, above 0.
struct PredictedRatio {
    double usual = 1;
    Interval interval;  // of everything that the model assumes and does not know
};

enum class Explained { explains, contradicts, cannot_tell, not_predicted };

// "explains it", "contradicts it", "cannot tell", "-".
std::string_view name(Explained explained);

// Of a printed ratio, which says faster, slower, or as fast within equal_share. Explained: all of
// the interval says the same. Contradicted: all of it says otherwise.
Explained explained(double printed, const std::optional<PredictedRatio>& predicted);

// Two variants that a source orders.
struct OrderedPair {
    double printed =
        1;  // how often faster the one; where only the direction is printed, any above 1
    double predicted = 1;
};

// Kendall's tau of the pairs that the source orders: those predicted in the printed order, less
// those in the other one, over all. Pairs printed as equal are left out. Nothing without pairs.
std::optional<double> kendalls_tau(const std::vector<OrderedPair>& pairs);

}  // namespace camber::published
