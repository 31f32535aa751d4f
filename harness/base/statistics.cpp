#include "harness/base/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/base/bootstrap.hpp"

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

}  // namespace camber
