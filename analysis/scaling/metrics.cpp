#include "analysis/scaling/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/base/error.hpp"

namespace camber::scaling {

double speedup(double t1, double tp) {
    return t1 / tp;
}

double efficiency(double speedup, double p) {
    return speedup / p;
}

double speedup_sigma(double speedup, double relative_sigma_t1, double relative_sigma_tp) {
    return speedup * std::hypot(relative_sigma_t1, relative_sigma_tp);
}

double amdahl_speedup(double serial_share, double p) {
    return 1 / (serial_share + (1 - serial_share) / p);
}

double parallel_share(double speedup, double p) {
    return (1 / speedup - 1) / (1 / p - 1);
}

double karp_flatt(double speedup, double p) {
    if (!(p > 1))
        throw Error(ExitCode::usage,
                    fmt::format("the Karp-Flatt fraction is undefined at p = {}: it needs a time "
                                "on more than one unit",
                                p));
    return (1 / speedup - 1 / p) / (1 - 1 / p);
}

double karp_flatt_sigma(double speedup, double speedup_sigma, double p) {
    return speedup_sigma / (speedup * speedup * (1 - 1 / p));
}

double weak_efficiency(double t1, double tp_of_p_fold_problem) {
    return t1 / tp_of_p_fold_problem;
}

double gustafson_serial_share(double weak_efficiency, double p) {
    return (p - p * weak_efficiency) / (p - 1);
}

double cost(double t1, double tp, double p) {
    return tp - t1 / p;
}

double imbalance(std::span<const double> busy_times) {
    if (busy_times.empty())
        throw Error(ExitCode::usage, "the imbalance of no units is undefined: give their times");
    const double sum = std::accumulate(busy_times.begin(), busy_times.end(), 0.0);
    return std::ranges::max(busy_times) * static_cast<double>(busy_times.size()) / sum;
}

double ideal_gain(int p) {
    return 1 / (static_cast<double>(p) * (p - 1));
}

std::optional<int> largest_worthwhile_units(double overhead_per_unit, double parallel_share) {
    if (!(overhead_per_unit > 0)) return std::nullopt;
    const double bound = parallel_share / overhead_per_unit;
    if (!(bound > 2)) return 1;
    // The positive root of D (D - 1) = bound; the strict inequality excludes the root itself.
    const double root = (1 + std::sqrt(1 + 4 * bound)) / 2;
    return static_cast<int>(std::ceil(root)) - 1;
}

double effective_units(std::span<const double> single_unit_rates) {
    if (single_unit_rates.empty() || std::ranges::any_of(single_unit_rates, [](double rate) {
            return !(rate > 0 && std::isfinite(rate));
        }))
        throw Error(ExitCode::usage,
                    "unequal units need the rate, above 0, that each of them reaches alone: "
                    "measure them one by one");
    return std::accumulate(single_unit_rates.begin(), single_unit_rates.end(), 0.0) /
           single_unit_rates.front();
}

}  // namespace camber::scaling
