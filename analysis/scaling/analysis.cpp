#include "analysis/scaling/analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "analysis/scaling/metrics.hpp"
#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"

namespace camber::scaling {

// Derives the verdict from an analysis whose points and fits are set.
Verdict judge(const Analysis& analysis);
std::string reading(const Analysis& analysis);

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
        return fmt::format("{} value{} of e show no trend: measure at least 3 points beyond p = 1.",
                           values, values == 1 ? "" : "s");
    return "The uncertainty of the times is unknown, so no trend of e is reported: measure several "
           "samples.";
}

// "; the time would be shortest at ...": if the fit has a minimum at a p above 1, with the range
// due to the errors of b and c.
std::string shortest_time(const ThreeTermFit& fit) {
    const double low_b = fit.b - 2 * fit.standard_error_b;
    const double low_c = fit.c - 2 * fit.standard_error_c;
    if (!fit.fastest_p || low_b <= 0 || low_c <= 0) return "";
    const double low = std::sqrt(low_b / (fit.c + 2 * fit.standard_error_c));
    const double high = std::sqrt((fit.b + 2 * fit.standard_error_b) / low_c);
    if (*fit.fastest_p <= 1) return "; the time is shortest with one unit";
    const std::string range =
        low < 0.95 * high ? fmt::format(" ({:.1f} to {:.1f})", std::max(1.0, low), high) : "";
    return fmt::format(
        "; by this fit the time is shortest at p = {:.1f}{}{}, and p = {}{} is the last p that "
        "shortens "
        "it",
        *fit.fastest_p, range, extrapolated(fit.fastest_p_extrapolated), *fit.d_max,
        extrapolated(fit.d_max_extrapolated));
}

// True if no p is faster than one unit by more than the errors of both times. Shares of T1 from the
// fits are then meaningless.
bool nothing_gained(const Analysis& analysis) {
    return std::ranges::none_of(analysis.points, [](const PointAnalysis& point) {
        return point.speedup && *point.speedup - 2 * point.speedup_sigma.value_or(0) > 1;
    });
}

std::string nothing_gained_text(const Analysis& analysis) {
    const PointAnalysis& last = analysis.points.back();
    return fmt::format(
        "One unit is fastest: at p = {:g} the run takes {:.2f} times as long. The units share a "
        "resource that one unit saturates, or wait for each other.",
        last.p, 1 / *last.speedup);
}

std::string per_unit_cost(const Analysis& analysis) {
    const ThreeTermFit& fit = *analysis.fits.three_term;
    const std::string serial =
        resolved(fit.a, fit.standard_error_a)
            ? "in addition to a serial part of " + with_error(fit.a, fit.standard_error_a)
            : "a serial part is unresolved";
    return fmt::format("e grows: each additional {} costs {} of T1; {}{}.",
                       unit_text(analysis.series), with_error(fit.c, fit.standard_error_c), serial,
                       shortest_time(fit));
}

std::string of_trend(const Analysis& analysis) {
    switch (analysis.verdict) {
        case Verdict::per_unit_cost:
            return per_unit_cost(analysis);
        case Verdict::imbalance: {
            const ThreeTermFit& fit = *analysis.fits.three_term;
            return fmt::format(
                "e falls by {} of T1 per {}: units wait for each other (imbalance); the intercept "
                "is not a serial part.",
                with_error(-fit.c, fit.standard_error_c), unit_text(analysis.series));
        }
        case Verdict::serial_part: {
            const ThreeTermFit& fit = *analysis.fits.three_term;
            return fmt::format("The serial part is {} of T1; a cost per {} is unresolved.",
                               with_error(fit.a, fit.standard_error_a), unit_text(analysis.series));
        }
        case Verdict::unresolved:
            return fmt::format(
                "Neither a serial part nor a cost per {} is resolved: both are below twice their "
                "uncertainty.",
                unit_text(analysis.series));
        default:
            return why_no_trend(analysis);
    }
}

// Sentence on saturation: the fits describe a curve that flattens at the bandwidth limit, so that
// their terms are no causes.
std::string saturation(const Analysis& analysis) {
    const PointAnalysis& last = analysis.points.back();
    return fmt::format(
        "Memory is saturated: at p = {} the application bandwidth is {:.1f} % of copy bandwidth "
        "and "
        "the speedup is flat. The shared bandwidth is the limit, not serial code or overhead.",
        last.p, 100 * *last.share_of_copy);
}

// Error of Gustafson's s: of the fit over several p, or of the single efficiency at p > 1.
std::optional<double> serial_share_error(const Analysis& analysis) {
    if (analysis.gustafson->standard_error) return analysis.gustafson->standard_error;
    const PointAnalysis& last = analysis.points.back();
    if (!last.weak_efficiency_sigma) return std::nullopt;
    return *last.weak_efficiency_sigma * last.p / (last.p - 1);
}

// Sentence about s, which is a share only between 0 and 1.
std::string gustafson_text(const Analysis& analysis) {
    const double s = analysis.gustafson->serial_share;
    const std::optional<double> error = serial_share_error(analysis);
    const double margin = 2 * error.value_or(0);
    if (s - margin > 1)
        return "the time grows faster than the problem, which a serial share cannot explain: the "
               "units slow each other down";
    if (s > 1) return "no speedup: the time grows in proportion to the problem";
    if (s + margin < 0)
        return "it rises with p, which a serial share cannot explain: the units share a resource "
               "that "
               "one unit does not have, such as caches";
    if (s <= margin || s < 0)
        return fmt::format("the serial share of the parallel run is unresolved{} (Gustafson)",
                           error ? ", at most " + percent(s + margin, 2) : "");
    return fmt::format("the serial share of the parallel run is {} (Gustafson)",
                       error ? with_error(s, *error) : percent(s, 2));
}

std::string weak_reading(const Analysis& analysis) {
    const PointAnalysis& last = analysis.points.back();
    const std::string efficiency =
        last.weak_efficiency_sigma ? with_error(*last.weak_efficiency, *last.weak_efficiency_sigma)
                                   : percent(*last.weak_efficiency, 2);
    return fmt::format(
        "Weak scaling: at p = {:g} the {:g}-fold problem runs with efficiency {}; {}.", last.p,
        last.p, efficiency, gustafson_text(analysis));
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
    std::string text = analysis.bandwidth_saturated ? saturation(analysis)
                       : nothing_gained(analysis)   ? nothing_gained_text(analysis)
                                                    : of_trend(analysis);
    std::vector<double> superlinear;
    for (const PointAnalysis& point : analysis.points)
        if (point.superlinear()) superlinear.push_back(point.p);
    if (!superlinear.empty())
        text += fmt::format(
            " Superlinear (e below 0) at p = {}: the units share a resource that one unit does not "
            "have, "
            "such as caches.",
            fmt::join(superlinear, ", "));
    return text;
}

namespace {

std::optional<double> relative(const PointAnalysis& point) {
    if (!point.sigma_ns) return std::nullopt;
    return *point.sigma_ns / point.median_ns;
}

void add_strong(PointAnalysis& point, const PointAnalysis& first, const PointAnalysis* before) {
    const double t1 = first.median_ns;
    const double s = speedup(t1, point.median_ns);
    point.speedup = s;
    point.efficiency = efficiency(s, point.p);
    if (before == nullptr) return;
    const auto sigma_1 = relative(first);
    const auto sigma_p = relative(point);
    point.karp_flatt = karp_flatt(s, point.p);
    if (sigma_1 && sigma_p) {
        point.speedup_sigma = speedup_sigma(s, *sigma_1, *sigma_p);
        point.karp_flatt_sigma = karp_flatt_sigma(s, *point.speedup_sigma, point.p);
    }
    point.cost_ns = cost(t1, point.median_ns, point.p);
    point.marginal_cost =
        (*point.cost_ns - before->cost_ns.value_or(0)) / t1 / (point.p - before->p);
    point.gain = (before->median_ns - point.median_ns) / t1;
}

void add_weak(PointAnalysis& point, const PointAnalysis& first) {
    const double e = weak_efficiency(first.median_ns, point.median_ns);
    point.weak_efficiency = e;
    point.scaled_speedup = point.p * e;
    if (point.p <= 1) return;
    const auto sigma_1 = relative(first);
    const auto sigma_p = relative(point);
    if (sigma_1 && sigma_p) point.weak_efficiency_sigma = speedup_sigma(e, *sigma_1, *sigma_p);
    point.serial_share = gustafson_serial_share(e, point.p);
}

std::vector<PointAnalysis> measured(const Series& series) {
    std::vector<PointAnalysis> points;
    for (const Point& point : series.points) {
        PointAnalysis measures;
        measures.p = p_of(series, point);
        measures.units = point.units;
        measures.n = point.samples_ns.size();
        measures.median_ns = median_of(point);
        measures.sigma_ns = sigma_of(series, point);
        measures.share_of_copy = point.share_of_copy;
        measures.places = point.places;
        points.push_back(measures);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (series.mode == Mode::weak)
            add_weak(points[i], points.front());
        else
            add_strong(points[i], points.front(), i == 0 ? nullptr : &points[i - 1]);
    }
    return points;
}

Fits fitted(const std::vector<PointAnalysis>& points) {
    std::vector<double> p;
    std::vector<double> times;
    for (const PointAnalysis& point : points) {
        p.push_back(point.p);
        times.push_back(point.median_ns / points.front().median_ns);
    }
    Fits fits;
    fits.linear_overhead =
        fit_linear_overhead(std::span(p).subspan(1), std::span(times).subspan(1));
    if (points.size() < 3) return fits;
    fits.amdahl = fit_amdahl(p, times);
    fits.three_term = fit_three_terms(p, times);
    if (points.size() < 4) return fits;
    std::vector<double> e;
    std::vector<double> equal_error;
    std::vector<double> by_sigma;
    for (const PointAnalysis& point : std::span(points).subspan(1)) {
        e.push_back(*point.karp_flatt);
        equal_error.push_back(karp_flatt_weight(*point.speedup, point.p));
        if (point.karp_flatt_sigma) by_sigma.push_back(std::pow(*point.karp_flatt_sigma, -2));
    }
    const auto above_one = std::span(p).subspan(1);
    fits.weighted_by_sigma = by_sigma.size() == e.size();
    fits.karp_flatt_line = fit_karp_flatt_line(above_one, e);
    fits.weighted_karp_flatt_line =
        fit_karp_flatt_line(above_one, e, fits.weighted_by_sigma ? by_sigma : equal_error);
    return fits;
}

double observed_d_max(const std::vector<PointAnalysis>& points) {
    double largest = points.front().p;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const auto& before = points[i - 1];
        const double noise =
            2 * std::hypot(before.sigma_ns.value_or(0), points[i].sigma_ns.value_or(0));
        if (before.median_ns - points[i].median_ns > noise) largest = points[i].p;
    }
    return largest;
}

bool saturated(const std::vector<PointAnalysis>& points) {
    const PointAnalysis& last = points.back();
    const PointAnalysis& before = points[points.size() - 2];
    if (!last.speedup || last.share_of_copy.value_or(0) < saturated_share) return false;
    return *last.speedup - *before.speedup < flat_slope * (last.p - before.p);
}

GustafsonFit gustafson_of(const std::vector<PointAnalysis>& points) {
    std::vector<double> added;
    std::vector<double> lost;
    for (const PointAnalysis& point : std::span(points).subspan(1)) {
        added.push_back(point.p - 1);
        lost.push_back(point.p - *point.scaled_speedup);
    }
    const LinearFit fit = least_squares(std::array{added}, lost);
    GustafsonFit result;
    result.serial_share = fit.coefficients[0];
    if (!fit.standard_errors.empty()) result.standard_error = fit.standard_errors[0];
    result.max_abs_residual = fit.max_abs_residual;
    return result;
}

}  // namespace

Analysis analyse(Series series) {
    Analysis analysis;
    analysis.series = checked(std::move(series));
    analysis.points = measured(analysis.series);
    if (analysis.series.mode == Mode::weak) {
        analysis.gustafson = gustafson_of(analysis.points);
    } else {
        analysis.fits = fitted(analysis.points);
        analysis.observed_d_max = observed_d_max(analysis.points);
        analysis.bandwidth_saturated = saturated(analysis.points);
        const auto& amdahl = analysis.fits.amdahl;
        for (PointAnalysis& point : analysis.points) {
            if (amdahl)
                point.amdahl_speedup =
                    1 / (amdahl->coefficients[0] + amdahl->coefficients[1] / point.p);
            if (const auto share = analysis.series.predicted_serial_share) {
                point.predicted_speedup = amdahl_speedup(*share, point.p);
                point.exceeds_prediction =
                    *point.speedup - 2 * point.speedup_sigma.value_or(0) > *point.predicted_speedup;
            }
        }
    }
    analysis.verdict = judge(analysis);
    analysis.reading = reading(analysis);
    return analysis;
}

GustafsonFit gustafson(const Series& weak_series) {
    if (weak_series.mode != Mode::weak)
        throw Error(ExitCode::usage,
                    "Gustafson's serial share is of runs whose problem grows with p; these are of "
                    "one problem: measure a weak series");
    return gustafson_of(measured(checked(weak_series)));
}

}  // namespace camber::scaling
