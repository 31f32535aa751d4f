// Order statistics of timed samples: pure functions, in whatever unit the samples have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace camber {

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

}  // namespace camber
