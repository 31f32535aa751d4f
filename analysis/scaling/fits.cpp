#include "analysis/scaling/fits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include "analysis/scaling/metrics.hpp"

namespace camber::scaling {

namespace {

using Column = std::vector<double>;

double dot(const Column& a, const Column& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void subtract(Column& from, double factor, const Column& what) {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] -= factor * what[i];
}

// Solves R x = z for an upper triangular R.
Column back_substituted(const std::vector<Column>& r, Column z) {
    for (std::size_t j = z.size(); j-- > 0;) {
        for (std::size_t k = j + 1; k < z.size(); ++k) z[j] -= r[j][k] * z[k];
        z[j] /= r[j][j];
    }
    return z;
}

void check_lengths(std::span<const Column> columns, std::span<const double> y,
                   std::span<const double> weights) {
    const bool weights_fit = weights.empty() || weights.size() == y.size();
    if (columns.empty() || y.size() < columns.size() || !weights_fit ||
        std::ranges::any_of(columns, [&](const Column& c) { return c.size() != y.size(); }))
        throw std::invalid_argument("least squares: lengths of columns, data and weights differ");
    if (std::ranges::any_of(weights, [](double w) { return !(w > 0 && std::isfinite(w)); }))
        throw std::invalid_argument("least squares: a weight is not a number above 0");
}

}  // namespace

// Modified Gram-Schmidt with the data as a last column: as stable as Householder's
// transformations (Bjorck 1967), and without the squared condition of the normal equations.
LinearFit least_squares(std::span<const std::vector<double>> columns, std::span<const double> y,
                        std::span<const double> weights) {
    check_lengths(columns, y, weights);
    const std::size_t n = y.size();
    const std::size_t m = columns.size();
    std::vector<Column> q(columns.begin(), columns.end());
    Column rest(y.begin(), y.end());
    for (std::size_t i = 0; i < n && !weights.empty(); ++i) {
        const double root = std::sqrt(weights[i]);
        for (Column& column : q) column[i] *= root;
        rest[i] *= root;
    }

    std::vector<Column> r(m, Column(m, 0.0));
    Column z(m, 0.0);
    for (std::size_t j = 0; j < m; ++j) {
        double original = 0;
        for (std::size_t k = 0; k < j; ++k) original = std::hypot(original, r[k][j]);
        const double length = std::sqrt(dot(q[j], q[j]));
        original = std::hypot(original, length);
        constexpr double dependent = 1e-12;
        if (!(length > dependent * original))
            throw std::invalid_argument("least squares: the columns depend on each other");
        r[j][j] = length;
        for (double& value : q[j]) value /= length;
        for (std::size_t k = j + 1; k < m; ++k) {
            r[j][k] = dot(q[j], q[k]);
            subtract(q[k], r[j][k], q[j]);
        }
        z[j] = dot(q[j], rest);
        subtract(rest, z[j], q[j]);
    }

    LinearFit fit;
    fit.coefficients = back_substituted(r, z);
    for (std::size_t i = 0; i < n; ++i) {
        double residual = y[i];
        for (std::size_t j = 0; j < m; ++j) residual -= fit.coefficients[j] * columns[j][i];
        fit.residuals.push_back(residual);
        fit.max_abs_residual = std::max(fit.max_abs_residual, std::abs(residual));
    }
    if (n == m) return fit;

    // Covariance = variance (R^T R)^-1; its diagonal is the squared length of the rows of R^-1.
    const double variance = dot(rest, rest) / static_cast<double>(n - m);
    fit.standard_errors.assign(m, 0.0);
    for (std::size_t column = 0; column < m; ++column) {
        Column unit(m, 0.0);
        unit[column] = 1;
        const Column inverse = back_substituted(r, unit);
        for (std::size_t j = 0; j < m; ++j)
            fit.standard_errors[j] = std::hypot(fit.standard_errors[j], inverse[j]);
    }
    for (double& error : fit.standard_errors) error *= std::sqrt(variance);
    return fit;
}

namespace {

using Column = std::vector<double>;

template <class Function>
Column column(std::span<const double> p, Function function) {
    Column values;
    std::ranges::transform(p, std::back_inserter(values), function);
    return values;
}

double one(double) {
    return 1;
}
double inverse(double p) {
    return 1 / p;
}
double itself(double p) {
    return p;
}
double added(double p) {
    return p - 1;
}

LinearFit fit_overhead(std::span<const double> p, std::span<const double> relative_times,
                       double (*units)(double)) {
    Column above_ideal;
    for (std::size_t i = 0; i < p.size(); ++i)
        above_ideal.push_back(relative_times[i] - inverse(p[i]));
    return least_squares(std::array{column(p, units)}, above_ideal);
}

}  // namespace

LinearFit fit_amdahl(std::span<const double> p, std::span<const double> relative_times) {
    return least_squares(std::vector{column(p, one), column(p, inverse)}, relative_times);
}

LinearFit fit_linear_overhead(std::span<const double> p, std::span<const double> relative_times) {
    return fit_overhead(p, relative_times, added);
}

LinearFit fit_overhead_of_every_unit(std::span<const double> p,
                                     std::span<const double> relative_times) {
    return fit_overhead(p, relative_times, itself);
}

LinearFit fit_karp_flatt_line(std::span<const double> p, std::span<const double> e,
                              std::span<const double> weights) {
    return least_squares(std::vector{column(p, one), column(p, itself)}, e, weights);
}

double karp_flatt_weight(double speedup, double p) {
    const double root = speedup * (1 - 1 / p);
    return root * root;
}

std::optional<ThreeTermFit> fit_three_terms(std::span<const double> p,
                                            std::span<const double> relative_times) {
    if (std::set<double>(p.begin(), p.end()).size() < 4) return std::nullopt;
    const LinearFit fit = least_squares(
        std::vector{column(p, one), column(p, inverse), column(p, added)}, relative_times);
    ThreeTermFit three;
    three.a = fit.coefficients[0];
    three.b = fit.coefficients[1];
    three.c = fit.coefficients[2];
    three.standard_error_a = fit.standard_errors[0];
    three.standard_error_b = fit.standard_errors[1];
    three.standard_error_c = fit.standard_errors[2];
    three.residuals = fit.residuals;
    three.max_abs_residual = fit.max_abs_residual;
    if (three.b > 0 && resolved(three.c, three.standard_error_c)) {
        const double largest = std::ranges::max(p);
        three.fastest_p = std::sqrt(three.b / three.c);
        three.d_max = largest_worthwhile_units(three.c, three.b);
        three.fastest_p_extrapolated = *three.fastest_p > largest;
        three.d_max_extrapolated = *three.d_max > largest;
    }
    return three;
}

bool resolved(double coefficient, double standard_error) {
    constexpr double rounding = 1e-12;
    return coefficient > std::max(2 * standard_error, rounding);
}

namespace {

// T(p)/T1 with the serial share of the series.
double with_serial_part(const Analysis& analysis, double p) {
    if (const auto& fit = analysis.fits.amdahl)
        return fit->coefficients[0] + fit->coefficients[1] / p;
    return 1 / amdahl_speedup(*analysis.points.back().karp_flatt, p);
}

double with_unit_cost(const Analysis& analysis, double p) {
    if (const auto& fit = analysis.fits.three_term) return fit->at(p);
    return 1 / p + analysis.fits.linear_overhead->coefficients[0] * (p - 1);
}

}  // namespace

std::vector<Projection> projections(const Analysis& analysis) {
    if (analysis.series.mode == Mode::weak || !analysis.fits.linear_overhead) return {};
    std::vector<Projection> all;
    const double largest = analysis.points.back().p;
    unsigned p = std::bit_ceil(static_cast<unsigned>(std::floor(largest)) + 1);
    for (int i = 0; i < 2; ++i, p *= 2) {
        const double serial = with_serial_part(analysis, p);
        const double cost = with_unit_cost(analysis, p);
        if (serial <= 0 || cost <= 0) return {};
        all.push_back({static_cast<int>(p), 1 / (p * serial), 1 / (p * cost)});
    }
    return all;
}

namespace {

constexpr std::size_t fewest_points = 5;
constexpr int knots_tried = 2000;

// Squared 97.5 % quantiles of Student's t, which are the 95 % quantiles of F(1, n).
double f_quantile(std::size_t degrees) {
    constexpr std::array<double, 10> t{12.706, 4.303, 3.182, 2.776, 2.571,
                                       2.447,  2.365, 2.306, 2.262, 2.228};
    const double quantile = degrees <= t.size() ? t[degrees - 1] : 2.1;
    return quantile * quantile;
}

struct Candidate {
    double knee = 0;
    double cost = 0;  // sum of squared relative deviations
    LinearFit line;   // floor and slope
};

std::optional<Candidate> candidate_at(double knee, std::span<const SizePoint> points) {
    std::vector<double> beyond;
    std::vector<double> times;
    std::vector<double> weights;
    for (const SizePoint& point : points) {
        beyond.push_back(std::max(0.0, point.cells - knee));
        times.push_back(point.ns);
        weights.push_back(1 / (point.ns * point.ns));
    }
    Candidate candidate{knee, 0, {}};
    candidate.line =
        least_squares(std::array{std::vector<double>(points.size(), 1.0), beyond}, times, weights);
    if (!(candidate.line.coefficients[1] > 0)) return std::nullopt;
    for (std::size_t i = 0; i < points.size(); ++i)
        candidate.cost += std::pow(candidate.line.residuals[i] / times[i], 2);
    return candidate;
}

// Sizes to which the fit applies.
std::vector<SizePoint> near_the_knee(std::vector<SizePoint> points) {
    std::ranges::sort(points, {}, &SizePoint::cells);
    const double least = std::ranges::min(points, {}, &SizePoint::ns).ns;
    while (points.size() > fewest_points && points.back().ns > transition * least)
        points.pop_back();
    return points;
}

// Number of distinct sizes among points in ascending order.
std::size_t count_sizes(const std::vector<SizePoint>& points) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (i == 0 || points[i].cells > points[i - 1].cells) ++count;
    return count;
}

}  // namespace

std::optional<Saturation> fit_saturation(std::vector<SizePoint> points) {
    if (points.size() < fewest_points) return std::nullopt;
    points = near_the_knee(std::move(points));
    if (count_sizes(points) < fewest_points) return std::nullopt;
    // Knots from the first size to the second to last, so that both segments have data.
    const double first = std::log(points.front().cells);
    const double last = std::log(points[points.size() - 2].cells);
    std::vector<Candidate> candidates;
    for (int i = 0; i < knots_tried; ++i)
        if (auto found =
                candidate_at(std::exp(first + (last - first) * i / (knots_tried - 1)), points))
            candidates.push_back(std::move(*found));
    if (candidates.empty()) return std::nullopt;
    const Candidate& best = std::ranges::min(candidates, {}, &Candidate::cost);
    constexpr double rounding = 1e-12;  // of exact data, whose cost is 0
    const std::size_t degrees = points.size() - 3;
    const double most =
        best.cost * (1 + f_quantile(degrees) / static_cast<double>(degrees)) + rounding;
    const auto intercept = [](const Candidate& one) {
        return one.line.coefficients[0] - one.line.coefficients[1] * one.knee;
    };
    Saturation found;
    found.floor_ns = best.line.coefficients[0];
    found.knee_cells = found.knee_low = found.knee_high = best.knee;
    found.ns_per_cell = best.line.coefficients[1];
    found.intercept_ns = found.intercept_low_ns = found.intercept_high_ns = intercept(best);
    found.largest_cells = points.back().cells;
    for (const Candidate& one : candidates) {
        if (one.cost > most) continue;
        found.knee_low = std::min(found.knee_low, one.knee);
        found.knee_high = std::max(found.knee_high, one.knee);
        found.intercept_low_ns = std::min(found.intercept_low_ns, intercept(one));
        found.intercept_high_ns = std::max(found.intercept_high_ns, intercept(one));
    }
    // The knee may be below all sizes.
    if (found.knee_low <= points.front().cells * (1 + 1e-6)) return std::nullopt;
    return found;
}

std::vector<SizeSeries> series_over_size(const results::Document& document) {
    std::vector<SizeSeries> all;
    const auto add = [&](const std::string& variant, const std::string& kernel, double cells,
                         double ns) {
        auto found = std::ranges::find_if(all, [&](const SizeSeries& one) {
            return one.variant == variant && one.kernel == kernel;
        });
        if (found == all.end()) found = all.insert(all.end(), {variant, kernel, {}});
        found->points.push_back({cells, ns});
    };
    for (const results::CaseRecord& record : document.cases) {
        if (!record.by_camber || !record.timed() || !(record.real_time_ns > 0) ||
            record.identity.backend == Backend::simt)
            continue;
        const std::string variant = record.identity.variant + record.identity.circumstances();
        add(variant, "", record.cells(), record.real_time_ns);
        if (!record.kernel_times || record.kernel_times->kernels.size() < 2) continue;
        for (const results::KernelTime& kernel : record.kernel_times->kernels)
            add(variant, kernel.name, record.cells(),
                kernel.total_ns() / record.kernel_times->generations);
    }
    for (SizeSeries& one : all) std::ranges::sort(one.points, {}, &SizePoint::cells);
    std::erase_if(all, [](const SizeSeries& one) { return one.points.size() < 2; });
    return all;
}

}  // namespace camber::scaling
