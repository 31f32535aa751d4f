// Statistics of timed samples: quantiles, bootstrap confidence intervals of the median, and
// detection of two modes. All results have the unit of the samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>

namespace camber {

// Random draws and resampled medians: what every bootstrap interval here is made of.

// Draws that are the same with every standard library: std::mt19937_64 is specified to the bit,
// std::gamma_distribution is not.
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

// The median of one bootstrap resample of sorted samples (at least one), without resampling: exact,
// and its cost does not grow with their number.
double median_of_resample(std::span<const double> sorted, Draws& draws);

// Order statistics of timed samples: pure functions, in whatever unit the samples have.

// What a list of samples says. All values but the two counts have the unit of the samples.
struct SampleStatistics {
    std::size_t n = 0;
    double min = 0;
    double median = 0;
    double iqr = 0;       // third quartile minus first quartile
    double ci95_low = 0;  // 95 % percentile-bootstrap interval of the median
    double ci95_high = 0;
    std::size_t outliers = 0;  // flagged by Tukey's fences; they stay in every other figure
};

// The p-quantile by linear interpolation between order statistics: type 7 of Hyndman and Fan
// (1996), the default of R and NumPy. Throws std::invalid_argument when there are no samples, when
// one is not finite, or when p is outside [0, 1].
double quantile(std::span<const double> samples, double p);

// quantile(samples, 0.5).
double median(std::span<const double> samples);

// Summarizes the samples; their order does not matter. The interval comes from 2000 bootstrap
// medians and depends on the samples and the seed only. Outliers lie more than 1.5 IQR outside the
// quartiles (Tukey 1977). One sample is its own interval. Throws std::invalid_argument when there
// are no samples or one is not finite.
SampleStatistics summarize(std::span<const double> samples, std::uint64_t seed);

// Whether samples fall into two groups, as times do that depend on where memory lies or on a clock.
struct TwoModes {
    double share_of_slow = 0;   // of the samples
    double slow_over_fast = 0;  // the ratio of the groups' medians
};

// The two groups that the widest gap between neighbouring samples parts, if it is most of the
// spread: each group has a tenth of the samples and two at least, the gap is more than half of what
// lies between the 5 % and the 95 % quantile, and more than 3 % of the median. Nothing otherwise,
// and of fewer than 8 samples. Throws std::invalid_argument where one is not finite.
std::optional<TwoModes> two_modes(std::span<const double> samples);

}  // namespace camber
