#include "analysis/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace camber {
namespace {

constexpr std::size_t resamples = 2000;

std::vector<double> sorted_copy(std::span<const double> samples) {
    if (samples.empty()) throw std::invalid_argument("statistics need at least one sample");
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (!std::isfinite(samples[i])) {
            throw std::invalid_argument("sample " + std::to_string(i) + " is not a finite number");
        }
    }
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

double quantile_of_sorted(std::span<const double> sorted, double p) {
    const double position = p * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

// Draws that are the same with every standard library: std::mt19937_64 is specified to the bit,
// std::gamma_distribution is not.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : engine_(seed) {}

    // Uniform on the open interval (0, 1), so that its logarithm is finite.
    double uniform() { return (static_cast<double>(engine_() >> 12) + 0.5) * 0x1p-52; }

    // Beta(a, b) with a, b >= 1, as a ratio of gamma variates.
    double beta(double a, double b) {
        const double x = gamma(a);
        return x / (x + gamma(b));
    }

  private:
    // Polar method (Marsaglia and Bray 1964); the second variate of each pair is not used.
    double normal() {
        while (true) {
            const double u = 2 * uniform() - 1;
            const double v = 2 * uniform() - 1;
            const double s = u * u + v * v;
            if (s < 1 && s > 0) return u * std::sqrt(-2 * std::log(s) / s);
        }
    }

    // Gamma(shape) with shape >= 1 (Marsaglia and Tsang 2000).
    double gamma(double shape) {
        const double d = shape - 1.0 / 3;
        const double c = 1 / std::sqrt(9 * d);
        while (true) {
            const double x = normal();
            const double root = 1 + c * x;
            if (root <= 0) continue;
            const double v = root * root * root;
            if (std::log(uniform()) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
        }
    }

    std::mt19937_64 engine_;
};

// The medians of bootstrap resamples of sorted samples, without resampling. A resample takes
// sample floor(n U) for n independent uniform U. Sorting the U sorts the resample too, so the
// resample's k-th smallest value is sample floor(n U_(k)), and U_(k) has the Beta(k, n + 1 - k)
// distribution (David and Nagaraja 2003). An even n also needs the next one: given
// U_(k), it is the smallest of n - k uniforms on (U_(k), 1). This is exact, and its cost does not
// grow with n.
std::array<double, resamples> bootstrap_medians(std::span<const double> sorted,
                                                std::uint64_t seed) {
    const std::size_t n = sorted.size();
    const std::size_t k = (n + 1) / 2;
    const auto sample_at = [&](double u) {
        return sorted[std::min(static_cast<std::size_t>(u * static_cast<double>(n)), n - 1)];
    };
    Draws draws(seed);
    std::array<double, resamples> medians;
    for (double& median : medians) {
        const double u = draws.beta(static_cast<double>(k), static_cast<double>(n + 1 - k));
        median = sample_at(u);
        if (n % 2 == 0) {
            const double rest = std::pow(draws.uniform(), 1.0 / static_cast<double>(n - k));
            median = std::midpoint(median, sample_at(1 - (1 - u) * rest));
        }
    }
    return medians;
}

}  // namespace

double quantile(std::span<const double> samples, double p) {
    if (!(p >= 0 && p <= 1)) {
        throw std::invalid_argument("quantile " + std::to_string(p) + " is outside 0 to 1");
    }
    return quantile_of_sorted(sorted_copy(samples), p);
}

double median(std::span<const double> samples) {
    return quantile(samples, 0.5);
}

SampleStatistics summarize(std::span<const double> samples, std::uint64_t seed) {
    const std::vector<double> sorted = sorted_copy(samples);
    const double first = quantile_of_sorted(sorted, 0.25);
    const double third = quantile_of_sorted(sorted, 0.75);

    SampleStatistics result;
    result.n = sorted.size();
    result.min = sorted.front();
    result.median = quantile_of_sorted(sorted, 0.5);
    result.iqr = third - first;

    auto medians = bootstrap_medians(sorted, seed);
    std::sort(medians.begin(), medians.end());
    result.ci95_low = quantile_of_sorted(medians, 0.025);
    result.ci95_high = quantile_of_sorted(medians, 0.975);

    const double reach = 1.5 * result.iqr;
    result.outliers = static_cast<std::size_t>(std::ranges::count_if(
        sorted, [&](double x) { return x < first - reach || x > third + reach; }));
    return result;
}

}  // namespace camber
