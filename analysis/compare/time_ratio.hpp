// The ratio of two measured times, and how far it can be trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace camber::compare {

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

}  // namespace camber::compare
