#include "harness/base/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace camber {

double Draws::beta(double a, double b) {
    const double x = gamma(a);
    return x / (x + gamma(b));
}

// Polar method (Marsaglia and Bray 1964); the second variate of each pair is not used.
double Draws::normal() {
    while (true) {
        const double u = 2 * uniform() - 1;
        const double v = 2 * uniform() - 1;
        const double s = u * u + v * v;
        if (s < 1 && s > 0) return u * std::sqrt(-2 * std::log(s) / s);
    }
}

// Gamma(shape) with shape >= 1 (Marsaglia and Tsang 2000).
double Draws::gamma(double shape) {
    const double d = shape - 1.0 / 3;
    const double c = 1 / std::sqrt(9 * d);
    while (true) {
        const double x = normal();
        const double root = 1 + c * x;
        if (root <= 0) continue;
        const double v = root * root * root;
        if (std::log(uniform()) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
    }
}

// A resample takes sample floor(n U) for n independent uniform U. Sorting the U sorts the resample
// too, so the resample's k-th smallest value is sample floor(n U_(k)), and U_(k) has the
// Beta(k, n + 1 - k) distribution (David and Nagaraja 2003). An even n also needs the next one:
// given U_(k), it is the smallest of n - k uniforms on (U_(k), 1).
double median_of_resample(std::span<const double> sorted, Draws& draws) {
    const std::size_t n = sorted.size();
    const std::size_t k = (n + 1) / 2;
    const auto sample_at = [&](double u) {
        return sorted[std::min(static_cast<std::size_t>(u * static_cast<double>(n)), n - 1)];
    };
    const double u = draws.beta(static_cast<double>(k), static_cast<double>(n + 1 - k));
    if (n % 2 == 1) return sample_at(u);
    const double rest = std::pow(draws.uniform(), 1.0 / static_cast<double>(n - k));
    return std::midpoint(sample_at(u), sample_at(1 - (1 - u) * rest));
}

}  // namespace camber
