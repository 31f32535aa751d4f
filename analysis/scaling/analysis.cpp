#include "analysis/scaling/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/scaling/metrics.hpp"
#include "analysis/scaling/reading.hpp"
#include "harness/base/error.hpp"

namespace camber::scaling {

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
