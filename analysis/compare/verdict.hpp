// Whether a case became faster or slower: the rule, and the reason for its answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/compare/time_ratio.hpp"

namespace camber::compare {

enum class Verdict { same, faster, slower, undecided };

std::string_view name(Verdict verdict);  // "SAME"...

struct TimeRule {
    double threshold = 0.03;  // effects up to this share are never a verdict
    std::uint64_t seed = 1;   // of the bootstrap
};

// A case's times in one file.
struct Timing {
    Series series;                      // ns
    std::optional<double> sm_clock_hz;  // mean over the readings around the samples
    std::optional<double> sm_cycles;    // of a counted launch
};

// With fewer samples in a file there is no verdict: the interval of the median of four samples
// would have to be wider than their range.
inline constexpr std::size_t least_samples = 5;

// What would decide a comparison that is UNDECIDED.
enum class Advice {
    none,
    more_samples,         // least_samples at least
    more_processes,       // more samples in one process would not average out what differs
    several_processes,    // in place of one, or more rounds
    processes_or_rounds,  // more of either
    equal_clocks,         // both again at one clock
    recorded_clocks,      // both again with clocks recorded
};

struct TimeComparison {
    Verdict verdict = Verdict::undecided;
    double base_ns = 0;
    double new_ns = 0;
    TimeRatio time;
    // The same ratio in cycles of the SM clock; absent where neither file tells.
    std::optional<double> cycles_ratio;
    ProcessSpread base_spread;
    ProcessSpread new_spread;
    std::string reason;  // one sentence, in words; "" where the verdict needs none
    Advice advice = Advice::none;
};

// With r the ratio, [l, h] its interval and t the threshold:
//   SLOWER     l > 1 and r > 1 + t, and the same in cycles
//   FASTER     h < 1 and r < 1 / (1 + t), and the same in cycles
//   SAME       1 / (1 + t) <= l and h <= 1 + t
//   UNDECIDED  else, and with fewer than least_samples in a file
// Exchanging the files exchanges SLOWER and FASTER. "In cycles": r, l and h times the ratio of the
// SM clocks, where these are known; else, where a launch's cycles were counted, their ratio alone,
// beyond the threshold to the same side; else nothing is asked. Where the processes of a series
// differ by more than half the threshold and by more than three times the interquartile range
// within them, the process is what is measured, and the interval is widened to the range of process
// medians however many there are.
TimeComparison compare_times(const Timing& base, const Timing& changed, const TimeRule& rule);

// Whether the rule is to distrust that spread.
bool unstable(const ProcessSpread& spread, const TimeRule& rule);

}  // namespace camber::compare
