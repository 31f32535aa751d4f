#include "analysis/compare/time_ratio.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "harness/base/statistics.hpp"

namespace camber::compare {

namespace {

constexpr std::size_t resamples = 2000;

// The typical time of one resample: processes with replacement, and of each drawn one its samples.
double resampled_time(const Series& series, Draws& draws, std::vector<double>& medians) {
    const std::size_t count = series.processes.size();
    medians.clear();
    for (std::size_t k = 0; k < count; ++k)
        medians.push_back(median_of_resample(series.processes[draws.index(count)], draws));
    const auto middle = medians.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(medians.begin(), middle, medians.end());
    if (count % 2 == 1) return *middle;
    return 0.5 * (*middle + *std::max_element(medians.begin(), middle));
}

}  // namespace

std::vector<double> Series::process_medians() const {
    std::vector<double> medians;
    for (const auto& samples : processes) medians.push_back(median(samples));
    return medians;
}

Series series_of(std::vector<std::vector<double>> processes) {
    Series series;
    for (auto& samples : processes) {
        if (samples.empty()) continue;
        std::ranges::sort(samples);
        // Not a number compares as false.
        if (!std::ranges::all_of(samples, [](double x) { return x > 0 && std::isfinite(x); }))
            throw std::invalid_argument("a measured time is not a finite number above 0");
        series.processes.push_back(std::move(samples));
    }
    if (series.processes.empty()) throw std::invalid_argument("there is no measured time");
    return series;
}

double typical_time(const Series& series) {
    return median(series.process_medians());
}

double range_misses(std::size_t m, std::size_t n) {
    double share = 2;
    for (std::size_t k = 1; k <= n; ++k)
        share *= static_cast<double>(k) / static_cast<double>(m + k);
    return share;
}

TimeRatio time_ratio(const Series& base, const Series& changed, std::uint64_t seed, bool widen) {
    TimeRatio result;
    result.ratio = typical_time(changed) / typical_time(base);

    Draws draws(seed);
    std::array<double, resamples> ratios;
    std::vector<double> scratch;
    for (double& ratio : ratios) {
        const double below = resampled_time(base, draws, scratch);
        ratio = resampled_time(changed, draws, scratch) / below;
    }
    result.interval = {quantile(ratios, 0.025), quantile(ratios, 0.975)};

    const auto few = [](const Series& series) {
        return series.processes.size() > 1 && series.processes.size() < processes_for_bootstrap;
    };
    result.between_processes_known = base.processes.size() > 1 && changed.processes.size() > 1;
    result.widened = widen || few(base) || few(changed);
    if (result.widened) {
        const auto [base_least, base_most] = std::ranges::minmax(base.process_medians());
        const auto [least, most] = std::ranges::minmax(changed.process_medians());
        result.interval.low = std::min(result.interval.low, least / base_most);
        result.interval.high = std::max(result.interval.high, most / base_least);
    }
    return result;
}

ProcessSpread process_spread(const Series& series) {
    std::vector<double> medians = series.process_medians();
    std::ranges::sort(medians);
    const double typical = median(medians);
    std::vector<double> widths;
    for (const auto& samples : series.processes)
        widths.push_back(quantile(samples, 0.75) - quantile(samples, 0.25));

    ProcessSpread spread;
    spread.processes = medians.size();
    spread.between = (medians.back() - medians.front()) / typical;
    spread.within = median(widths) / typical;
    for (std::size_t k = 1; k < medians.size(); ++k)
        spread.gap = std::max(spread.gap, (medians[k] - medians[k - 1]) / typical);
    return spread;
}

}  // namespace camber::compare
