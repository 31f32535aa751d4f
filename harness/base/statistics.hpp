// Statistics of timed samples: quantiles, bootstrap confidence intervals of the median, and
// detection of two modes. All results have the unit of the samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>

namespace camber {

// Random draws and resampled medians, the basis of all bootstrap intervals here

// Random numbers that are the same with every standard library: std::mt19937_64 is specified to the
// bit, std::gamma_distribution is not.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : engine_(seed) {}

    // Uniform on the open interval (0, 1), so that its logarithm is finite.
    double uniform() { return (static_cast<double>(engine_() >> 12) + 0.5) * 0x1p-52; }

    // Uniform on 0 ... n - 1.
    std::size_t index(std::size_t n) {
        return static_cast<std::size_t>(uniform() * static_cast<double>(n));
    }

    // Beta(a, b) with a, b >= 1, as a ratio of gamma variates.
    double beta(double a, double b);

  private:
    double normal();
    double gamma(double shape);

    std::mt19937_64 engine_;
};

// Median of one bootstrap resample of sorted samples (at least one), without resampling: exact, at
// a cost that does not grow with the number of samples.
double median_of_resample(std::span<const double> sorted, Draws& draws);

// Order statistics of timed samples. All values but the two counts have the unit of the samples.
struct SampleStatistics {
    std::size_t n = 0;
    double min = 0;
    double median = 0;
    double iqr = 0;       // third quartile minus first quartile
    double ci95_low = 0;  // 95 % percentile-bootstrap interval of the median
    double ci95_high = 0;
    std::size_t outliers = 0;  // flagged by Tukey's fences; all other figures include them
};

// p-quantile by linear interpolation between order statistics: type 7 of Hyndman and Fan (1996),
// the default of R and NumPy. Throws std::invalid_argument if there are no samples, if one is not
// finite, or if p is outside [0, 1].
double quantile(std::span<const double> samples, double p);

// quantile(samples, 0.5).
double median(std::span<const double> samples);

// Summarizes the samples; their order does not matter. The interval comes from 2000 bootstrap
// medians and depends only on the samples and the seed. Outliers are more than 1.5 IQR outside the
// quartiles (Tukey 1977). A single sample is its own interval. Throws std::invalid_argument if
// there are no samples or one is not finite.
SampleStatistics summarize(std::span<const double> samples, std::uint64_t seed);

// Two groups of samples, as in times that depend on memory placement or on a clock.
struct TwoModes {
    double share_of_slow = 0;   // slow samples / all samples
    double slow_over_fast = 0;  // ratio of the groups' medians
};

// Returns the two groups on either side of the widest gap between successive samples, if the gap
// dominates the spread: each group has at least a tenth of the samples and at least two, and the
// gap exceeds half of the distance between the 5 % and the 95 % quantile, and 3 % of the median.
// Otherwise nullopt, and for fewer than 8 samples. Throws std::invalid_argument if one is not
// finite.
std::optional<TwoModes> two_modes(std::span<const double> samples);

}  // namespace camber
