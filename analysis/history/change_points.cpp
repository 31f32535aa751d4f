#include "analysis/history/trend.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "harness/base/statistics.hpp"

namespace camber::history {

namespace {

struct Split {
    std::size_t at = 0;
    double distance = 0;  // scaled energy distance, Q in Matteson and James (2014)
};

// Sums of |x_i - x_k| over all pairs in every interval [a, b) of the values.
class PairSums {
  public:
    explicit PairSums(std::span<const double> values) : n_(values.size() + 1), sums_(n_ * n_, 0.0) {
        for (std::size_t b = 1; b < n_; ++b) {
            double to_last = 0;
            for (std::size_t a = b - 1; a-- > 0;) {
                to_last += std::abs(values[b - 1] - values[a]);
                sums_[a * n_ + b] = sums_[a * n_ + b - 1] + to_last;
            }
        }
    }
    double operator()(std::size_t a, std::size_t b) const { return sums_[a * n_ + b]; }

  private:
    std::size_t n_;
    std::vector<double> sums_;
};

double pairs(std::size_t n) {
    return static_cast<double>(n) * static_cast<double>(n - 1) / 2;
}

// The split of the values into [0, at) and [at, end) with the largest distance, for any end: a
// second change behind `end` does not hide the first one.
std::optional<Split> best_split(std::span<const double> values) {
    if (values.size() < 2 * min_segment) return std::nullopt;
    const PairSums sum(values);
    std::optional<Split> best;
    for (std::size_t at = min_segment; at + min_segment <= values.size(); ++at)
        for (std::size_t end = at + min_segment; end <= values.size(); ++end) {
            const auto n = static_cast<double>(at);
            const auto m = static_cast<double>(end - at);
            const double left = sum(0, at);
            const double right = sum(at, end);
            const double between = sum(0, end) - left - right;
            const double energy =
                2 * between / (n * m) - left / pairs(at) - right / pairs(end - at);
            const double distance = n * m / (n + m) * energy;
            if (!best || distance > best->distance) best = Split{at, distance};
        }
    return best;
}

// Best split within one of the segments that `bounds` separates; `at` counts from the first value.
std::optional<Split> best_of_segments(std::span<const double> values,
                                      const std::vector<std::size_t>& bounds) {
    std::optional<Split> best;
    for (std::size_t k = 0; k + 1 < bounds.size(); ++k) {
        auto split = best_split(values.subspan(bounds[k], bounds[k + 1] - bounds[k]));
        if (!split || (best && split->distance <= best->distance)) continue;
        split->at += bounds[k];
        best = split;
    }
    return best;
}

// Estimated p-value of a split with this distance, or 1 once it cannot be significant any more.
double p_value(std::span<const double> values, const std::vector<std::size_t>& bounds,
               double distance, const ChangePointRule& rule, Draws& draws) {
    std::vector<double> shuffled(values.begin(), values.end());
    int as_large = 0;
    for (int permutation = 0; permutation < rule.permutations; ++permutation) {
        for (std::size_t k = 0; k + 1 < bounds.size(); ++k)
            for (std::size_t last = bounds[k + 1] - 1; last > bounds[k]; --last)
                std::swap(shuffled[last], shuffled[bounds[k] + draws.index(last - bounds[k] + 1)]);
        const auto other = best_of_segments(shuffled, bounds);
        // Rounding errors must not separate permutations with equal sums.
        as_large += other && other->distance >= distance * (1 - 1e-9);
        if (as_large + 1 > rule.significance * (rule.permutations + 1)) return 1;
    }
    return (as_large + 1.0) / (rule.permutations + 1);
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> values,
                                       const ChangePointRule& rule) {
    if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
        throw std::invalid_argument("a value of the series is not a finite number");
    std::vector<ChangePoint> found;
    std::vector<std::size_t> bounds{0, values.size()};
    Draws draws(rule.seed);
    while (const auto split = best_of_segments(values, bounds)) {
        if (!(split->distance > 0)) break;
        const double p = p_value(values, bounds, split->distance, rule, draws);
        if (p > rule.significance) break;
        found.push_back({split->at, p});
        bounds.insert(std::ranges::upper_bound(bounds, split->at), split->at);
    }
    std::ranges::sort(found, {}, &ChangePoint::at);
    return found;
}

}  // namespace camber::history
