#include <stdexcept>
#include <vector>

#include "analysis/scaling/analysis.hpp"
#include "analysis/scaling/fits.hpp"
#include "analysis/scaling/metrics.hpp"
#include "tests/analysis/scaling/published_series.hpp"
#include "tests/catch.hpp"

namespace fits_test {

// Fits of published times, compared with the digits of an independent computation.

using namespace camber;
using namespace camber::scaling;

namespace {

const std::vector<double> one_to_six{1, 2, 3, 4, 5, 6};
const std::vector<double> two_to_six{2, 3, 4, 5, 6};

std::vector<double> relative(const Times& times) {
    std::vector<double> values;
    for (const double time : times) values.push_back(time / times.front());
    return values;
}

std::vector<double> without_first(const std::vector<double>& values) {
    return {values.begin() + 1, values.end()};
}

struct Expected {
    const char* table;
    const Times& times;
    double a, b, c;                         // three terms
    double se_a, se_b, se_c, max_residual;  // six and five decimals
    double amdahl_a, amdahl_b, amdahl_max;  // two terms
    double line_a, line_c, se_line_a, se_line_c;
    double weighted_a, weighted_c;
};

const std::vector<Expected> expected{
    {"6.1", table_6_1, 0.033554, 0.966103, 0.023454, 0.006669, 0.008201, 0.001374, 0.00328,
     0.142416, 0.843096, 0.03007, 0.031452, 0.023875, 0.0053, 0.0012, 0.034332, 0.023262},
    {"8.1", table_8_1, 0.023720, 0.975770, 0.008120, 0.004677, 0.005752, 0.000963, 0.00240,
     0.061412, 0.933182, 0.01029, 0.020775, 0.008708, 0.0040, 0.0009, 0.026568, 0.007511},
    {"8.2 off", table_8_2_off, 0.027297, 0.973999, 0.006259, 0.015963, 0.019632, 0.003288, 0.00659,
     0.056349, 0.941173, 0.01134, 0.035091, 0.004700, 0.0139, 0.0033, 0.023348, 0.007114},
    {"8.2 on", table_8_2_on, 0.051852, 0.947938, -0.001419, 0.005090, 0.006259, 0.001048, 0.00234,
     0.045264, 0.955382, 0.00360, 0.050557, -0.001160, 0.0042, 0.0010, 0.052294, -0.001526},
    {"8.3 off", table_8_3_off, 0.465466, 0.537865, -0.054249, 0.036587, 0.044995, 0.007537, 0.01453,
     0.213665, 0.822384, 0.06626, 0.484248, -0.057988, 0.0277, 0.0065, 0.438037, -0.048443},
    {"8.3 on", table_8_3_on, 0.038312, 0.961089, 0.002512, 0.006312, 0.007762, 0.001300, 0.00288,
     0.049970, 0.947917, 0.00544, 0.034746, 0.003224, 0.0056, 0.0013, 0.040305, 0.002064},
};

constexpr double sixth = 5.1e-7;  // half of the sixth decimal
constexpr double fifth = 5.1e-6;
constexpr double fourth = 5.1e-5;

}  // namespace

TEST_CASE("the three-term fits of the published times", "[scaling]") {
    for (const Expected& e : expected) {
        INFO("table " << e.table);
        const auto fit = fit_three_terms(one_to_six, relative(e.times));
        REQUIRE(fit.has_value());
        CHECK(fit->a == Approx(e.a).margin(sixth));
        CHECK(fit->b == Approx(e.b).margin(sixth));
        CHECK(fit->c == Approx(e.c).margin(sixth));
        CHECK(fit->standard_error_a == Approx(e.se_a).margin(sixth));
        CHECK(fit->standard_error_b == Approx(e.se_b).margin(sixth));
        CHECK(fit->standard_error_c == Approx(e.se_c).margin(sixth));
        CHECK(fit->max_abs_residual == Approx(e.max_residual).margin(fifth));
    }
}

TEST_CASE("the two-term fits of the published times", "[scaling]") {
    for (const Expected& e : expected) {
        INFO("table " << e.table);
        const LinearFit fit = fit_amdahl(one_to_six, relative(e.times));
        CHECK(fit.coefficients[0] == Approx(e.amdahl_a).margin(sixth));
        CHECK(fit.coefficients[1] == Approx(e.amdahl_b).margin(sixth));
        CHECK(fit.max_abs_residual == Approx(e.amdahl_max).margin(fifth));
    }
}

TEST_CASE("the straight lines through e of the published times", "[scaling]") {
    for (const Expected& e : expected) {
        INFO("table " << e.table);
        std::vector<double> fractions;
        std::vector<double> weights;
        for (std::size_t i = 1; i < 6; ++i) {
            const double s = speedup(e.times[0], e.times[i]);
            fractions.push_back(karp_flatt(s, one_to_six[i]));
            weights.push_back(karp_flatt_weight(s, one_to_six[i]));
        }
        const LinearFit line = fit_karp_flatt_line(two_to_six, fractions);
        CHECK(line.coefficients[0] == Approx(e.line_a).margin(sixth));
        CHECK(line.coefficients[1] == Approx(e.line_c).margin(sixth));
        CHECK(line.standard_errors[0] == Approx(e.se_line_a).margin(fourth));
        CHECK(line.standard_errors[1] == Approx(e.se_line_c).margin(fourth));
        const LinearFit weighted = fit_karp_flatt_line(two_to_six, fractions, weights);
        CHECK(weighted.coefficients[0] == Approx(e.weighted_a).margin(sixth));
        CHECK(weighted.coefficients[1] == Approx(e.weighted_c).margin(sixth));
    }
}

TEST_CASE("how far the per-unit costs stand above their standard errors", "[scaling]") {
    // Costs per unit from the three-term fit, the line and the weighted line.
    const auto ratios = [](const Times& times) {
        std::vector<double> fractions;
        std::vector<double> weights;
        for (std::size_t i = 1; i < 6; ++i) {
            const double s = speedup(times[0], times[i]);
            fractions.push_back(karp_flatt(s, one_to_six[i]));
            weights.push_back(karp_flatt_weight(s, one_to_six[i]));
        }
        const auto three = fit_three_terms(one_to_six, relative(times));
        const LinearFit line = fit_karp_flatt_line(two_to_six, fractions);
        const LinearFit weighted = fit_karp_flatt_line(two_to_six, fractions, weights);
        return std::vector{three->c / three->standard_error_c,
                           line.coefficients[1] / line.standard_errors[1],
                           weighted.coefficients[1] / weighted.standard_errors[1]};
    };
    constexpr double digit = 0.0051;
    for (const double ratio : ratios(table_6_1)) CHECK(ratio > 15);
    const auto dam = ratios(table_8_1);
    CHECK(dam[0] == Approx(8.43).margin(digit));
    CHECK(dam[1] == Approx(9.30).margin(digit));
    CHECK(dam[2] == Approx(9.10).margin(digit));
    const auto off = ratios(table_8_2_off);
    CHECK(off[0] == Approx(1.90).margin(digit));
    CHECK(off[1] == Approx(1.44).margin(digit));
    CHECK(off[2] == Approx(2.40).margin(digit));
    CHECK(ratios(table_8_2_on)[0] == Approx(-1.35).margin(digit));
    CHECK(ratios(table_8_3_off)[0] == Approx(-7.20).margin(digit));
    const auto on = ratios(table_8_3_on);
    CHECK(on[0] == Approx(1.93).margin(digit));
    CHECK(on[1] == Approx(2.43).margin(digit));
    CHECK(on[2] == Approx(1.88).margin(digit));
}

TEST_CASE("every residual of Table 6.1, and the times that the fit gives", "[scaling]") {
    const auto three = fit_three_terms(one_to_six, relative(table_6_1));
    const LinearFit amdahl = fit_amdahl(one_to_six, relative(table_6_1));
    const std::vector<double> of_three{0.00034, -0.00191, 0.00183, 0.00185, -0.00328, 0.00116};
    const std::vector<double> of_amdahl{0.01449, -0.02581, -0.01912, -0.00590, 0.00628, 0.03007};
    const std::vector<double> seconds{14372.1, 7764.4, 5786.7, 4966.4, 4609.1, 4483.3};
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK(three->residuals[i] == Approx(of_three[i]).margin(fifth));
        CHECK(amdahl.residuals[i] == Approx(of_amdahl[i]).margin(fifth));
        CHECK(table_6_1[0] * three->at(one_to_six[i]) == Approx(seconds[i]).margin(0.051));
    }
}

TEST_CASE("overhead alone does not fit Table 6.1", "[scaling]") {
    const auto times = without_first(relative(table_6_1));
    const LinearFit added = fit_linear_overhead(two_to_six, times);
    CHECK(added.coefficients[0] == Approx(0.030417).margin(sixth));
    CHECK(added.max_abs_residual == Approx(0.01016).margin(fifth));
    const LinearFit every = fit_overhead_of_every_unit(two_to_six, times);
    CHECK(every.coefficients[0] == Approx(0.023811).margin(sixth));
    CHECK(every.max_abs_residual == Approx(0.00947).margin(fifth));
}

TEST_CASE("the fastest p and the largest worthwhile one", "[scaling]") {
    const auto magflow = fit_three_terms(one_to_six, relative(table_6_1));
    CHECK(magflow->fastest_p.value() == Approx(6.418).margin(0.00051));
    CHECK(magflow->fastest_p_extrapolated);
    CHECK(magflow->d_max == 6);
    CHECK_FALSE(magflow->d_max_extrapolated);
    const auto dam = fit_three_terms(one_to_six, relative(table_8_1));
    CHECK(dam->fastest_p.value() == Approx(10.96).margin(0.0051));
    CHECK(dam->d_max == 11);
    CHECK(dam->d_max_extrapolated);
    CHECK(dam->fastest_p_extrapolated);
    for (const Times* times : {&table_8_2_off, &table_8_2_on, &table_8_3_off, &table_8_3_on}) {
        const auto fit = fit_three_terms(one_to_six, relative(*times));
        CHECK_FALSE(fit->fastest_p.has_value());
        CHECK_FALSE(fit->d_max.has_value());
    }
    // The last worthwhile unit is the last one that shortens the fitted time.
    CHECK(magflow->at(6) < magflow->at(5));
    CHECK(magflow->at(7) > magflow->at(6));
}

TEST_CASE("with a + b = 1 the three-term model is the line a + c p through e", "[scaling]") {
    constexpr double a = 0.07;
    constexpr double c = 0.013;
    for (const double p : {2.0, 3.0, 7.0, 16.5}) {
        const double time = a + (1 - a) / p + c * (p - 1);
        CHECK(karp_flatt(1 / time, p) == Approx(a + c * p));
    }
}

TEST_CASE("fewer than four distinct p give no three-term fit", "[scaling]") {
    CHECK_FALSE(fit_three_terms(std::vector<double>{1, 2, 3}, std::vector<double>{1, 0.6, 0.5}));
    CHECK_FALSE(
        fit_three_terms(std::vector<double>{1, 2, 3, 3}, std::vector<double>{1, 0.6, 0.5, 0.5}));
}

TEST_CASE("least squares that cannot be are refused", "[scaling]") {
    using Columns = std::vector<std::vector<double>>;
    const std::vector<double> y{1, 2, 3};
    CHECK_THROWS_AS(least_squares(Columns{{1, 1, 1}, {2, 2, 2}}, y), std::invalid_argument);
    CHECK_THROWS_AS(least_squares(Columns{{1, 1}}, y), std::invalid_argument);
    CHECK_THROWS_AS(least_squares(Columns{}, y), std::invalid_argument);
    CHECK_THROWS_AS(least_squares(Columns{{1, 1, 1}}, y, std::vector<double>{1, 0, 1}),
                    std::invalid_argument);
    const LinearFit exact = least_squares(Columns{{1, 1}, {1, 2}}, std::vector<double>{3, 5});
    CHECK(exact.coefficients[0] == Approx(1));
    CHECK(exact.coefficients[1] == Approx(2));
    CHECK(exact.standard_errors.empty());
}

}  // namespace fits_test

namespace projection_test {

// Projections to more units, compared with hand calculations from the fits.

using namespace camber;
using namespace camber::scaling;

TEST_CASE("two points go on by their e, or by their cost", "[scaling]") {
    // T/T1 = 0.55: e = 0.1, and 0.05 for the second unit.
    const auto found = projections(analyse(gpu_series(Times{100, 55})));
    REQUIRE(found.size() == 2);
    CHECK(found[0].p == 4);
    CHECK(found[0].by_serial_part == Approx(1 / (1 + 0.1 * 3)));
    CHECK(found[0].by_unit_cost == Approx(1 / (1 + 4 * 0.05 * 3)));
    CHECK(found[1].p == 8);
    CHECK(found[1].by_serial_part == Approx(1 / (1 + 0.1 * 7)));
    CHECK(found[1].by_unit_cost == Approx(1 / (1 + 8 * 0.05 * 7)));
}

TEST_CASE("longer series go on by their fits, beyond what was measured", "[scaling]") {
    const auto found = projections(analyse(gpu_series(table_6_1)));
    REQUIRE(found.size() == 2);
    CHECK(found[0].p == 8);
    CHECK(found[1].p == 16);
    // Expected values use the coefficients of the two-term and three-term fits above.
    CHECK(found[0].by_serial_part == Approx(1 / (8 * (0.142416 + 0.843096 / 8))).epsilon(1e-4));
    CHECK(found[0].by_unit_cost ==
          Approx(1 / (8 * (0.033554 + 0.966103 / 8 + 0.023454 * 7))).epsilon(1e-4));
}

TEST_CASE("what does not follow is not said", "[scaling]") {
    Series weak = gpu_series(Times{100, 105});
    weak.mode = Mode::weak;
    CHECK(projections(analyse(weak)).empty());
    // Superlinear: the fitted line predicts no time above 0.
    CHECK(projections(analyse(gpu_series(Times{100, 30}))).empty());
}

}  // namespace projection_test
