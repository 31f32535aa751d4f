#include "analysis/scaling/fits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "analysis/scaling/metrics.hpp"

namespace camber::scaling {

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

}  // namespace camber::scaling
