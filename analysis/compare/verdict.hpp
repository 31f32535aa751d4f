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

// Samples of one case in one file, one sorted list per process, in any unit of time.
struct Series {
    std::vector<std::vector<double>> processes;

    std::vector<double> process_medians() const;
};

// Sorts the lists and removes empty ones. Throws std::invalid_argument if a sample is not a finite
// number above 0 or if there are no samples.
Series series_of(std::vector<std::vector<double>> processes);

// Representative time of a series: the median of the processes' medians, so that all processes have
// equal weight regardless of their numbers of samples.
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

// The interval is widened if a series has fewer processes than this.
inline constexpr std::size_t processes_for_bootstrap = 6;

// Probability that the range of ratios of m and n process medians misses the true ratio if
// variation is only between processes: this happens if all medians of one file are on one side of
// all of the other, in 2 m! n! / (m + n)! of the possible orders. 10 % for three and three, 0.8 %
// for five and five.
double range_misses(std::size_t m, std::size_t n);

// Ratio with a percentile-bootstrap interval from 2000 resamples. Each resample draws processes
// first, then samples within each drawn process, in both series: samples of one process are
// correlated, and resampling them alone would overstate the precision (Kalibera and Jones 2013). A
// bootstrap over few processes is too narrow; in that case, and if `widen` is set, the interval is
// extended to the range of the ratios of process medians. The result depends only on the samples
// and the seed.
TimeRatio time_ratio(const Series& base, const Series& changed, std::uint64_t seed, bool widen);

// Differences between the processes of a series, relative to the typical time.
struct ProcessSpread {
    std::size_t processes = 0;
    double between = 0;  // largest minus smallest process median
    double within = 0;   // median of the processes' interquartile ranges
    double gap = 0;      // the widest gap between adjacent process medians
    // The gap is most of the spread: the processes form two groups rather than one wide group.
    bool two_modes() const { return gap > 0.5 * between; }
};

ProcessSpread process_spread(const Series& series);

enum class Verdict { same, faster, slower, undecided };

std::string_view name(Verdict verdict);  // "SAME"...

struct TimeRule {
    double threshold = 0.03;  // effects up to this share yield no verdict
    std::uint64_t seed = 1;   // bootstrap seed
};

// Times of a case in one file.
struct Timing {
    Series series;                      // ns
    std::optional<double> sm_clock_hz;  // mean of the readings around the samples
    std::optional<double> sm_cycles;    // of a counted launch
};

// Minimum number of samples per file for a verdict: the interval of the median of four samples
// would have to be wider than their range.
inline constexpr std::size_t least_samples = 5;

// Measurement that would decide an UNDECIDED comparison.
enum class Advice {
    none,
    more_samples,         // least_samples at least
    more_processes,       // the difference is between processes; more samples would not average it
                          // out
    several_processes,    // in place of one process, or more rounds
    processes_or_rounds,  // more of either
    equal_clocks,         // both again at one clock
    recorded_clocks,      // both again with clocks recorded
};

struct TimeComparison {
    Verdict verdict = Verdict::undecided;
    double base_ns = 0;
    double new_ns = 0;
    TimeRatio time;
    // The same ratio in SM clock cycles; absent without recorded clocks and without counted cycles.
    std::optional<double> cycles_ratio;
    ProcessSpread base_spread;
    ProcessSpread new_spread;
    std::string reason;  // one sentence; "" if the verdict needs none
    Advice advice = Advice::none;
};

// With r the ratio, [l, h] its interval and t the threshold:
//   SLOWER     l > 1 and r > 1 + t, and the same in cycles
//   FASTER     h < 1 and r < 1 / (1 + t), and the same in cycles
//   SAME       1 / (1 + t) <= l and h <= 1 + t
//   UNDECIDED  otherwise, and with fewer than least_samples samples in a file
// Exchanging the files exchanges SLOWER and FASTER. "In cycles": r, l and h are multiplied by the
// ratio of the SM clocks, if available; else, if a launch's cycles were counted, their ratio must
// be beyond the threshold on the same side; else the condition is omitted. If the process medians
// of a series differ by more than half the threshold and by more than three times the interquartile
// range within processes, the variation is between processes, and the interval is widened to the
// range of process medians regardless of their number.
TimeComparison compare_times(const Timing& base, const Timing& changed, const TimeRule& rule);

// Returns true if the rule distrusts a series with this spread.
bool unstable(const ProcessSpread& spread, const TimeRule& rule);

}  // namespace camber::comparison
