// What became of a published statement: one rule and its words, wherever one is judged.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace camber::published {

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

}  // namespace camber::published
