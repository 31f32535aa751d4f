#include "analysis/compare/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "harness/base/statistics.hpp"
#include "harness/base/text/text.hpp"

namespace camber::comparison {

namespace {

constexpr std::size_t resamples = 2000;

// Typical time of one resample: draws processes with replacement, then samples of each.
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
        // Comparisons with NaN are false.
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

namespace {

// The interquartile range of n samples is 1.35 standard deviations, and the range of ten medians of
// 20 normal samples each about 0.9: a factor of three over the former is not caused by sampling.
constexpr double distrusted_spread = 3;

Verdict verdict_of(double ratio, const Interval& interval, double threshold) {
    const double above = 1 + threshold;
    if (interval.low > 1 && ratio > above) return Verdict::slower;
    if (interval.high < 1 && ratio < 1 / above) return Verdict::faster;
    if (interval.low >= 1 / above && interval.high <= above) return Verdict::same;
    return Verdict::undecided;
}

std::size_t fewest_samples(const Series& base, const Series& changed) {
    const auto count = [](const Series& series) {
        std::size_t samples = 0;
        for (const auto& process : series.processes) samples += process.size();
        return samples;
    };
    return std::min(count(base), count(changed));
}

std::string spread_sentence(const char* file, const ProcessSpread& spread) {
    return spread.two_modes()
               ? fmt::format(
                     "the {} processes of {} fall into two groups {} apart, with {} within "
                     "a process",
                     spread.processes, file, percent(spread.gap), percent(spread.within))
               : fmt::format("the {} processes of {} differ by {}, with {} within a process",
                             spread.processes, file, percent(spread.between),
                             percent(spread.within));
}

// Sets the reason for UNDECIDED and the advice.
void explain_undecided(TimeComparison& result, const TimeRule& rule) {
    const ProcessSpread& base = result.base_spread;
    const ProcessSpread& changed = result.new_spread;
    if (unstable(base, rule) || unstable(changed, rule)) {
        const bool in_base =
            unstable(base, rule) && (!unstable(changed, rule) || base.between > changed.between);
        result.reason = spread_sentence(in_base ? "BASE" : "NEW", in_base ? base : changed);
        result.advice = Advice::more_processes;
        return;
    }
    result.reason = fmt::format("the interval of the ratio, {:.3f} to {:.3f}, leaves both open",
                                result.time.interval.low, result.time.interval.high);
    result.advice = std::min(base.processes, changed.processes) == 1 ? Advice::several_processes
                                                                     : Advice::processes_or_rounds;
}

// Withdraws a verdict that clock differences explain.
void check_cycles(TimeComparison& result, const Timing& base, const Timing& changed,
                  const TimeRule& rule) {
    const bool clocks = base.sm_clock_hz && changed.sm_clock_hz;
    const bool counted = base.sm_cycles && changed.sm_cycles;
    if (!clocks && !counted) return;
    Verdict in_cycles = Verdict::undecided;
    if (clocks) {
        const double factor = *changed.sm_clock_hz / *base.sm_clock_hz;
        result.cycles_ratio = result.time.ratio * factor;
        in_cycles =
            verdict_of(*result.cycles_ratio,
                       {result.time.interval.low * factor, result.time.interval.high * factor},
                       rule.threshold);
    } else {
        result.cycles_ratio = *changed.sm_cycles / *base.sm_cycles;
        in_cycles = verdict_of(*result.cycles_ratio, {*result.cycles_ratio, *result.cycles_ratio},
                               rule.threshold);
    }
    const bool changes = result.verdict == Verdict::slower || result.verdict == Verdict::faster;
    if (!changes || in_cycles == result.verdict) return;
    result.reason =
        clocks ? fmt::format(
                     "{:+.1f} % in time but {:+.1f} % in cycles: the SM clock was {:.0f} "
                     "MHz in BASE and {:.0f} MHz in NEW",
                     100 * (result.time.ratio - 1), 100 * (*result.cycles_ratio - 1),
                     *base.sm_clock_hz * 1e-6, *changed.sm_clock_hz * 1e-6)
               : fmt::format("{:+.1f} % in time but {:+.1f} % in the SM cycles counted",
                             100 * (result.time.ratio - 1), 100 * (*result.cycles_ratio - 1));
    result.advice = clocks ? Advice::equal_clocks : Advice::recorded_clocks;
    result.verdict = Verdict::undecided;
}

}  // namespace

std::string_view name(Verdict verdict) {
    switch (verdict) {
        case Verdict::same:
            return "SAME";
        case Verdict::faster:
            return "FASTER";
        case Verdict::slower:
            return "SLOWER";
        case Verdict::undecided:
            break;
    }
    return "UNDECIDED";
}

bool unstable(const ProcessSpread& spread, const TimeRule& rule) {
    return spread.processes > 1 && spread.between > 0.5 * rule.threshold &&
           spread.between > distrusted_spread * spread.within;
}

TimeComparison compare_times(const Timing& base, const Timing& changed, const TimeRule& rule) {
    TimeComparison result;
    result.base_ns = typical_time(base.series);
    result.new_ns = typical_time(changed.series);
    result.base_spread = process_spread(base.series);
    result.new_spread = process_spread(changed.series);
    result.time =
        time_ratio(base.series, changed.series, rule.seed,
                   unstable(result.base_spread, rule) || unstable(result.new_spread, rule));
    if (const std::size_t samples = fewest_samples(base.series, changed.series);
        samples < least_samples) {
        result.reason = fmt::format("the case has only {} sample{}, too few to know its spread",
                                    samples, samples == 1 ? "" : "s");
        result.advice = Advice::more_samples;
        return result;
    }
    result.verdict = verdict_of(result.time.ratio, result.time.interval, rule.threshold);
    check_cycles(result, base, changed, rule);
    if (result.verdict == Verdict::undecided && result.reason.empty())
        explain_undecided(result, rule);
    return result;
}

}  // namespace camber::comparison
