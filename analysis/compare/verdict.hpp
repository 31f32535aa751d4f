// Ratio of two measured times with its confidence interval, and the rule that calls a case faster,
// slower, the same or undecided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace camber::comparison {

// The ratio of two measured times, and how far it can be trusted.

// The samples of one case in one file, one list per process, each sorted, in any unit of time.
struct Series {
    std::vector<std::vector<double>> processes;

    std::vector<double> process_medians() const;
};

// Sorts the lists and leaves out empty ones. Throws std::invalid_argument where a sample is not a
// finite number above 0 or where there is none at all.
Series series_of(std::vector<std::vector<double>> processes);

// The time that a series stands for: the median of its processes' medians, so that a process that
// took more samples does not count for more.
double typical_time(const Series& series);

struct Interval {
    double low = 0;
    double high = 0;
};

struct TimeRatio {
    double ratio = 0;                      // typical time of `changed` / typical time of `base`
    Interval interval;                     // 95 %
    bool between_processes_known = false;  // both series have at least two processes
    bool widened = false;                  // the interval includes the range of process medians
};

// With fewer processes than this in a series the interval is widened.
inline constexpr std::size_t processes_for_bootstrap = 6;

// How often the range of the ratios of m and n process medians does not hold the true ratio, where
// the process is all that matters: when all of one file lie on one side of all of the other, in
// 2 m! n! / (m + n)! of the orders that they can have. 10 % for three and three, 0.8 % for five and
// five.
double range_misses(std::size_t m, std::size_t n);

// The ratio with its percentile-bootstrap interval from 2000 resamples, each of which draws
// processes first and samples within every drawn process second, in both series: samples of one
// process depend on each other, and resampling them alone would claim more than was measured
// (Kalibera and Jones 2013). A bootstrap over few processes is too narrow, so there, and
// where `widen` is set, the interval is extended to the range of the ratios of process medians. It
// depends on the samples and the seed only.
TimeRatio time_ratio(const Series& base, const Series& changed, std::uint64_t seed, bool widen);

// How the processes of a series differ. Shares of the typical time.
struct ProcessSpread {
    std::size_t processes = 0;
    double between = 0;  // largest minus least process median
    double within = 0;   // median over the processes of their samples' interquartile range
    double gap = 0;      // the widest gap between neighbouring process medians
    // The gap is most of the spread: two groups of processes rather than one wide group.
    bool two_modes() const { return gap > 0.5 * between; }
};

ProcessSpread process_spread(const Series& series);

// Whether a case became faster or slower: the rule, and the reason for its answer.
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

}  // namespace camber::comparison
