// Statistics of two flows, compared with small cases counted by hand.
#include "analysis/flow_statistics.hpp"

#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/catch.hpp"

namespace camber::flow_statistics_test {

TEST_CASE("two flows are compared by the cells that either covers", "[flow]") {
    // Covered by both: cells 1, 2, 3; by one: 0 and 4; by neither: 5.
    const std::vector<double> expected{0, 1.0, 2.0, 4.0, 0.5, 0};
    const std::vector<double> actual{0.25, 1.0, 2.1875, 3.0, 0, 0};
    const FlowStatistics s = compare_flows(expected, actual);
    CHECK(s.expected_cells == 4);
    CHECK(s.covered_cells == 4);
    CHECK(s.jaccard == 3 / 5.0);
    // Within 10 %: cells 1 and 2, which is off by 9.375 %; cell 3 is off by a quarter.
    CHECK(s.share_within_tenth == 2 / 5.0);
    CHECK(s.largest_difference == 1.0);
    CHECK(s.mean_difference == Approx((0.25 + 0 + 0.1875 + 1 + 0.5) / 5));
    CHECK(s.differing_cells == 4);
    CHECK(s.invalid_cells == 0);
}

TEST_CASE("equal flows, and no flows at all, differ in nothing", "[flow]") {
    for (const auto& flow : {std::vector<double>{0, 3, 0.5}, std::vector<double>(4), {}}) {
        const FlowStatistics s = compare_flows(flow, flow);
        CHECK(s.jaccard == 1);
        CHECK(s.share_within_tenth == 1);
        CHECK(s.largest_difference == 0);
        CHECK(s.mean_difference == 0);
        CHECK(s.differing_cells == 0);
    }
    const FlowStatistics apart =
        compare_flows(std::vector<double>{1, 0}, std::vector<double>{0, 1});
    CHECK(apart.jaccard == 0);
    CHECK(apart.share_within_tenth == 0);
    CHECK(apart.mean_difference == 1);
}

TEST_CASE("a thickness that is no number covers nothing and is counted", "[flow]") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const FlowStatistics s =
        compare_flows(std::vector<double>{1, 1, 0}, std::vector<double>{nan, 1, infinity});
    CHECK(s.invalid_cells == 2);
    CHECK(s.covered_cells == 1);
    CHECK(s.jaccard == 0.5);
    CHECK(s.differing_cells == 2);
    CHECK(s.largest_difference == 0);
    CHECK_THROWS_AS(compare_flows(std::vector<double>{1}, std::vector<double>{1, 2}),
                    std::invalid_argument);
}

TEST_CASE("a relative difference is a share of the larger value", "[flow]") {
    CHECK(relative_difference(3, 4) == 0.25);
    CHECK(relative_difference(4, 3) == 0.25);
    CHECK(relative_difference(0, 0) == 0);
    CHECK(relative_difference(0, 5) == 1);
    CHECK(relative_difference(std::numeric_limits<double>::quiet_NaN(), 5) == 1);
    CHECK(relative_difference(5, std::numeric_limits<double>::infinity()) == 1);
}

TEST_CASE("the fit with an event is the overlap over the union", "[flow]") {
    CHECK(event_fit(std::vector<std::uint8_t>{1, 1, 0, 0, 2},
                    std::vector<std::uint8_t>{0, 1, 1, 0, 1}) == 2 / 4.0);
    CHECK(event_fit(std::vector<std::uint8_t>{0, 0}, std::vector<std::uint8_t>{0, 0}) == 0);
    CHECK_THROWS_AS(event_fit(std::vector<std::uint8_t>{1}, std::vector<std::uint8_t>{}),
                    std::invalid_argument);
}

}  // namespace camber::flow_statistics_test
