// Scaling formulas, compared with hand calculations and published values.
#include "analysis/scaling/metrics.hpp"

#include <cmath>
#include <vector>

#include "harness/base/error.hpp"
#include "tests/analysis/scaling/published_series.hpp"
#include "tests/catch.hpp"

namespace metrics_test {

using namespace camber;
using namespace camber::scaling;

TEST_CASE("Amdahl, Karp-Flatt and the parallel share invert one another", "[scaling]") {
    for (const double b : {0.0, 0.01, 0.11, 0.5, 1.0})
        for (const double p : {1.5, 2.0, 6.0, 132.0}) {
            const double s = amdahl_speedup(b, p);
            CHECK(karp_flatt(s, p) == Approx(b).margin(1e-12));
            CHECK(parallel_share(s, p) == Approx(1 - b).margin(1e-12));
        }
}

TEST_CASE("the predicted speedups of a serial share of 0.11", "[scaling]") {
    const std::vector<double> expected{1.8018, 2.4590, 3.0075, 3.4722, 3.8710};
    for (int p = 2; p <= 6; ++p)
        CHECK(amdahl_speedup(0.11, p) ==
              Approx(expected[static_cast<std::size_t>(p - 2)]).margin(5e-5));
}

TEST_CASE("the uncertainty of e", "[scaling]") {
    CHECK(karp_flatt_sigma(1.8582, 0.01, 2) == Approx(0.005792).margin(5e-7));
    CHECK(karp_flatt_sigma(3.1949, 0.01, 6) == Approx(0.001176).margin(5e-7));
    // Equal relative errors r give S r sqrt(2).
    CHECK(speedup_sigma(3, 0.001, 0.001) == Approx(3 * 0.001 * std::sqrt(2.0)));
}

TEST_CASE("e is undefined on one unit", "[scaling]") {
    CHECK_THROWS_WITH(karp_flatt(1, 1), contains("undefined at p = 1"));
    CHECK_THROWS_AS(karp_flatt(1, 1), Error);
}

TEST_CASE("a superlinear speedup gives a negative e", "[scaling]") {
    CHECK(karp_flatt(2.5, 2) == Approx(-0.2));
}

TEST_CASE("weak scaling: Gustafson's share from the efficiency", "[scaling]") {
    // Serial 20 s and parallel 80 s on one unit; four times the parallel work on 4 units: E_w = 1.
    CHECK(weak_efficiency(100, 100) == 1);
    CHECK(gustafson_serial_share(1, 4) == 0);
    // 25 s more: E_w = 0.8, s = 0.8 / 3.
    CHECK(weak_efficiency(100, 125) == Approx(0.8));
    CHECK(gustafson_serial_share(0.8, 4) == Approx(0.8 / 3));
}

TEST_CASE("the best gain of each further unit, shares of T1", "[scaling]") {
    const std::vector<double> percent{50, 16.7, 8.3, 5, 3.3, 2.4, 1.8};
    for (int p = 2; p <= 8; ++p)
        CHECK(100 * ideal_gain(p) == Approx(percent[static_cast<std::size_t>(p - 2)]).margin(0.05));
}

TEST_CASE("the largest worthwhile number of units", "[scaling]") {
    CHECK(largest_worthwhile_units(0.04) == 5);   // 1/20 gains more than 0.04, 1/30 less
    CHECK(largest_worthwhile_units(0.016) == 8);  // 1/56 and 1/72
    CHECK(largest_worthwhile_units(0.05) == 4);   // 1/20 gains exactly its cost: not worthwhile
    CHECK(largest_worthwhile_units(0.6) == 1);
    CHECK_FALSE(largest_worthwhile_units(0).has_value());
    CHECK_FALSE(largest_worthwhile_units(-0.01).has_value());
}

TEST_CASE("imbalance and unequal units", "[scaling]") {
    CHECK(imbalance(std::vector<double>{2, 2, 2}) == 1);
    CHECK(imbalance(std::vector<double>{1, 1, 4}) == 2);
    CHECK_THROWS_AS(imbalance(std::vector<double>{}), Error);
    CHECK(effective_units(std::vector<double>{10, 10, 5}) == 2.5);
    CHECK_THROWS_AS(effective_units(std::vector<double>{10, 0}), Error);
    CHECK_THROWS_AS(effective_units(std::vector<double>{}), Error);
}

TEST_CASE("the overhead of 0.04 T1 per GPU predicts other costs than observed", "[scaling]") {
    const std::vector<double> predicted{1150, 1725, 2300, 2875, 3450};
    for (int p = 2; p <= 6; ++p) {
        const auto i = static_cast<std::size_t>(p - 1);
        CHECK(0.04 * table_6_1[0] * p == Approx(predicted[i - 1]).margin(0.6));
        CHECK(cost(table_6_1[0], table_6_1[i], p) < predicted[i - 1]);
    }
}

}  // namespace metrics_test
