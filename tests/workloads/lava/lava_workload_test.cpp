// Cumulative emission of vents: integrals of step functions and lines, computed by hand.
#include "workloads/lava/lava_workload.hpp"
#include "tests/catch.hpp"

namespace camber::lava::supply_test {

TEST_CASE("rates that hold for a slot add up to their areas", "[lava][supply]") {
    const std::vector<double> rates{2, 5, 0, 1};
    const RateCurve curve{rates, 10};
    CHECK(supply(curve, 0).volume == 0);
    CHECK(supply(curve, 4).volume == 8);
    CHECK(supply(curve, 4).variation == 0);
    CHECK(supply(curve, 10).volume == 20);
    CHECK(supply(curve, 10).variation == 0);
    CHECK(supply(curve, 12).volume == 30);
    CHECK(supply(curve, 12).variation == 3);
    CHECK(supply(curve, 35).volume == 20 + 50 + 0 + 5);
    CHECK(supply(curve, 35).variation == 3 + 5 + 1);
    // No emission after the last slot.
    CHECK(supply(curve, 40).variation == 9);
    CHECK(supply(curve, 1000).volume == 80);
    CHECK(supply(curve, 1000).variation == 10);
    CHECK(supply({{}, 10}, 5).volume == 0);
    CHECK(supply({{}, 10}, 5).variation == 0);
}

TEST_CASE("linear rates add up to trapezia", "[lava][supply]") {
    const std::vector<double> rates{0, 4, 2};
    const RateCurve curve{rates, 10, true};
    CHECK(supply(curve, 5).volume == 5);  // halfway up: 2 m^3/s
    CHECK(supply(curve, 5).variation == 2);
    CHECK(supply(curve, 10).volume == 20);
    CHECK(supply(curve, 20).volume == 20 + 30);
    CHECK(supply(curve, 20).variation == 4 + 2);
    // The curve ends at its last rate by dropping to 0.
    CHECK(supply(curve, 25).volume == 50);
    CHECK(supply(curve, 25).variation == 8);
}

TEST_CASE("a table is one curve after another, and each cell of a vent gives its own",
          "[lava][supply]") {
    const std::vector<double> table{1, 2, 30, 40};
    const auto curves = curves_of(table, 2, 100);
    REQUIRE(curves.size() == 2);
    CHECK(curves[1].rates[0] == 30);
    CHECK(curves_of({}, 0, 100).empty());
    Flow flow;
    flow.time = 150;
    flow.supplied = 7;
    // Two cells of vent 1, one of vent 2: 100 + 50 * 2 and 3000 + 50 * 40 m^3, on 50 m^2.
    add_supply(flow, std::vector<std::uint8_t>{0, 1, 2, 1}, curves, 10, 50);
    CHECK(flow.supplied == Approx(7 + (2 * 200 + 5000) / 50.0));
    CHECK(flow.supplied_error == Approx((1 + 1 + 10) * 10 / 50.0));
    add_supply(flow, std::vector<std::uint8_t>{1}, {}, 10, 50);  // without rates
    CHECK(flow.supplied == Approx(115));
}

}  // namespace camber::lava::supply_test
