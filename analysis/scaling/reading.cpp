#include "analysis/scaling/reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/number_text.hpp"

namespace camber::scaling {

namespace {

std::string with_error(double share, double standard_error) {
    return fmt::format("{:.2f} +- {:.2f} %", 100 * share, 100 * standard_error);
}

std::string unit_text(const Series& series) {
    switch (series.unit) {
        case Unit::sm:
            return fmt::format("{} SMs", series.unit_size);
        case Unit::thread:
            return "thread";
        case Unit::gpu:
            return "GPU";
        case Unit::rank:
            return "rank";
    }
    return "unit";
}

std::string extrapolated(bool is) {
    return is ? " (extrapolated)" : "";
}

bool uncertainty_known(const Analysis& analysis) {
    return std::ranges::all_of(analysis.points, [](const PointAnalysis& point) {
        return point.p == 1 || point.karp_flatt_sigma.has_value();
    });
}

bool line_rises(const std::optional<LinearFit>& line) {
    return line && resolved(line->coefficients[1], line->standard_errors[1]);
}

std::string why_no_trend(const Analysis& analysis) {
    const std::size_t values = analysis.points.size() - 1;
    if (values < 3)
        return fmt::format("e at {} value{} of p shows no trend: measure at least 3 beyond p = 1.",
                           values, values == 1 ? "" : "s");
    return "The times have no known uncertainty, so no trend of e is stated: measure several "
           "samples.";
}

std::string per_unit_cost(const Analysis& analysis) {
    const ThreeTermFit& fit = *analysis.fits.three_term;
    const std::string serial =
        resolved(fit.a, fit.standard_error_a)
            ? "beside a serial part of " + with_error(fit.a, fit.standard_error_a)
            : "while a serial part is unresolved";
    std::string text =
        fmt::format("e grows: every further {} costs {} of T1, {}", unit_text(analysis.series),
                    with_error(fit.c, fit.standard_error_c), serial);
    if (fit.fastest_p)
        text += fmt::format(
            "; the time would be shortest at p = {:.1f}{}, and p = {}{} is the "
            "last that shortens it",
            *fit.fastest_p, extrapolated(fit.fastest_p_extrapolated), *fit.d_max,
            extrapolated(fit.d_max_extrapolated));
    return text + ".";
}

std::string of_trend(const Analysis& analysis) {
    switch (analysis.verdict) {
        case Verdict::per_unit_cost:
            return per_unit_cost(analysis);
        case Verdict::imbalance: {
            const ThreeTermFit& fit = *analysis.fits.three_term;
            return fmt::format(
                "e falls, by {} of T1 per {}: units wait for one another "
                "(imbalance); the intercept is no serial part.",
                with_error(-fit.c, fit.standard_error_c), unit_text(analysis.series));
        }
        case Verdict::serial_part: {
            const ThreeTermFit& fit = *analysis.fits.three_term;
            return fmt::format("A serial part of {} of T1; a cost per {} is unresolved.",
                               with_error(fit.a, fit.standard_error_a), unit_text(analysis.series));
        }
        case Verdict::unresolved:
            return fmt::format(
                "Neither a serial part nor a cost per {} exceeds twice its own "
                "uncertainty.",
                unit_text(analysis.series));
        default:
            return why_no_trend(analysis);
    }
}

// The fits then describe a curve that flattens at the bandwidth; their parts are no causes.
std::string saturation(const Analysis& analysis) {
    const PointAnalysis& last = analysis.points.back();
    return fmt::format(
        "Memory is saturated: at p = {} the application bandwidth is {:.1f} % of the copy and the "
        "speedup is flat, so e grows by shared bandwidth, not by serial code or overhead.",
        last.p, 100 * *last.share_of_copy);
}

std::string weak_reading(const Analysis& analysis) {
    const GustafsonFit& fit = *analysis.gustafson;
    const PointAnalysis& last = analysis.points.back();
    return fmt::format(
        "Weak scaling: at p = {} the {}-fold problem runs with efficiency {}; the "
        "serial share of the parallel run is {} (Gustafson).",
        last.p, last.p, percent(*last.weak_efficiency, 2),
        fit.standard_error ? with_error(fit.serial_share, *fit.standard_error)
                           : percent(fit.serial_share, 2));
}

}  // namespace

Verdict judge(const Analysis& analysis) {
    if (analysis.series.mode == Mode::weak) return Verdict::weak;
    const auto& fit = analysis.fits.three_term;
    if (!fit || !uncertainty_known(analysis)) return Verdict::no_trend;
    if (resolved(fit->c, fit->standard_error_c) && line_rises(analysis.fits.karp_flatt_line) &&
        line_rises(analysis.fits.weighted_karp_flatt_line))
        return Verdict::per_unit_cost;
    if (resolved(-fit->c, fit->standard_error_c)) return Verdict::imbalance;
    return resolved(fit->a, fit->standard_error_a) ? Verdict::serial_part : Verdict::unresolved;
}

std::string reading(const Analysis& analysis) {
    if (analysis.series.mode == Mode::weak) return weak_reading(analysis);
    std::string text = analysis.bandwidth_saturated ? saturation(analysis) : of_trend(analysis);
    std::vector<double> superlinear;
    for (const PointAnalysis& point : analysis.points)
        if (point.superlinear()) superlinear.push_back(point.p);
    if (!superlinear.empty())
        text += fmt::format(
            " Superlinear (e below 0) at p = {}: the units share something that "
            "one alone has not, such as caches.",
            fmt::join(superlinear, ", "));
    return text;
}

}  // namespace camber::scaling
