#include "analysis/scaling/saturation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/scaling/fits.hpp"

namespace camber::scaling {

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
