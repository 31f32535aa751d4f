#include "analysis/scaling/projection.hpp"

#include <bit>
#include <cmath>

#include "analysis/scaling/metrics.hpp"

namespace camber::scaling {

namespace {

// T(p)/T1 with the serial part that the series shows.
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

}  // namespace camber::scaling
