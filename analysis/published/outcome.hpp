// Outcome of a published statement: whether measured times confirm or reverse it, and whether a
// predicted ratio explains it. Every comparison with a publication uses these rules and words.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace camber::published {

// Nanoseconds per generation: a list of samples for each process that measured.
using ProcessSamples = std::vector<std::vector<double>>;

// Median of the processes' medians, in ns.
double typical_time(const ProcessSamples& samples);

// The last two withhold a verdict although both sides were measured: see work.hpp.
enum class Outcome { holds, reversed, no_difference, undecided, short_run, other_ground };

// "holds", "reversed", "no difference", "not decidable" if one of the two was not measured, "short
// run", "other ground".
std::string_view name(Outcome outcome);

struct Interval {
    double low = 0;
    double high = 0;
};

// Two times that differ by less than this share count as equal.
inline constexpr double equal_share = 0.03;

// Outcome of the statement that something is faster. `ratio` (above 0) is the measured speedup,
// `interval` its confidence interval. No difference: the ratio is between 1 / (1 + equal_share) and
// 1 + equal_share, or the interval contains 1.
Outcome outcome_of(double ratio, const std::optional<Interval>& interval);

// Measured speedup of one variant over another, and the outcome of the statement that it is faster.
struct Judged {
    Outcome outcome = Outcome::undecided;
    std::optional<double> ratio;
    std::optional<Interval> interval;  // 95 %
};

// Undecided if one of them is null.
Judged judge(const ProcessSamples* faster, const ProcessSamples* than);

// Predicted speedup of one variant over another, above 0.
struct PredictedRatio {
    double usual = 1;
    Interval interval;  // covers everything that the model assumes without data
};

enum class Explained { explains, contradicts, cannot_tell, not_predicted };

// "explains it", "contradicts it", "cannot tell", "-".
std::string_view name(Explained explained);

// Judges a printed ratio, which means faster, slower, or equal within equal_share. Explained: all
// of the predicted interval agrees. Contradicted: all of it disagrees.
Explained explained(double printed, const std::optional<PredictedRatio>& predicted);

// Two variants for which a source states which is faster.
struct OrderedPair {
    double printed = 1;  // speedup of the first; any value above 1 if only the direction is printed
    double predicted = 1;
};

// Kendall's tau over the pairs that the source orders: (pairs predicted in the printed order -
// pairs predicted in the opposite order) / all pairs. Pairs printed as equal are omitted. Absent
// without pairs.
std::optional<double> kendalls_tau(const std::vector<OrderedPair>& pairs);

}  // namespace camber::published
