#include "harness/base/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace camber {

double Draws::beta(double a, double b) {
    const double x = gamma(a);
    return x / (x + gamma(b));
}

// Polar method (Marsaglia and Bray 1964); the second variate of each pair is not used.
double Draws::normal() {
    while (true) {
        const double u = 2 * uniform() - 1;
        const double v = 2 * uniform() - 1;
        const double s = u * u + v * v;
        if (s < 1 && s > 0) return u * std::sqrt(-2 * std::log(s) / s);
    }
}

// Gamma(shape) with shape >= 1 (Marsaglia and Tsang 2000).
double Draws::gamma(double shape) {
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

// A resample takes sample floor(n U) for n independent uniform U. Sorting the U sorts the resample
// too, so the resample's k-th smallest value is sample floor(n U_(k)), and U_(k) has the
// Beta(k, n + 1 - k) distribution (David and Nagaraja 2003). An even n also needs the next one:
// given U_(k), it is the smallest of n - k uniforms on (U_(k), 1).
double median_of_resample(std::span<const double> sorted, Draws& draws) {
    const std::size_t n = sorted.size();
    const std::size_t k = (n + 1) / 2;
    const auto sample_at = [&](double u) {
        return sorted[std::min(static_cast<std::size_t>(u * static_cast<double>(n)), n - 1)];
    };
    const double u = draws.beta(static_cast<double>(k), static_cast<double>(n + 1 - k));
    if (n % 2 == 1) return sample_at(u);
    const double rest = std::pow(draws.uniform(), 1.0 / static_cast<double>(n - k));
    return std::midpoint(sample_at(u), sample_at(1 - (1 - u) * rest));
}

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

std::array<double, resamples> bootstrap_medians(std::span<const double> sorted,
                                                std::uint64_t seed) {
    Draws draws(seed);
    std::array<double, resamples> medians;
    for (double& median : medians) median = median_of_resample(sorted, draws);
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

std::optional<TwoModes> two_modes(std::span<const double> samples) {
    constexpr std::size_t least_samples = 8;
    constexpr double least_gap = 0.03;
    if (samples.size() < least_samples) return std::nullopt;
    std::vector<double> sorted(samples.begin(), samples.end());
    std::ranges::sort(sorted);
    const std::size_t group = std::max<std::size_t>(2, sorted.size() / 10);
    std::size_t split = group;
    for (std::size_t k = group; k + group <= sorted.size(); ++k)
        if (sorted[k] - sorted[k - 1] > sorted[split] - sorted[split - 1]) split = k;
    const double gap = sorted[split] - sorted[split - 1];
    if (gap <= 0.5 * (quantile(sorted, 0.95) - quantile(sorted, 0.05)) ||
        gap <= least_gap * median(sorted))
        return std::nullopt;
    const std::span<const double> all(sorted);
    return TwoModes{static_cast<double>(sorted.size() - split) / static_cast<double>(sorted.size()),
                    median(all.subspan(split)) / median(all.first(split))};
}

}  // namespace camber
