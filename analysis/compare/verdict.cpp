#include "analysis/compare/verdict.hpp"
#include "harness/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace camber::compare {

namespace {

// The interquartile range of n samples is 1.35 standard deviations, the range of ten medians of 20
// normal samples each about 0.9: three times the former is no accident of sampling.
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

// Why times say nothing, and what would help.
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

// Takes a verdict back that the clock explains.
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

}  // namespace camber::compare
