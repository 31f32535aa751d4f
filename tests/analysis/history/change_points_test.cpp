// Change points of series with known changes, and of series without.
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "analysis/history/trend.hpp"
#include "tests/catch.hpp"

namespace camber::change_points_test {

namespace {

using history::change_points;

// Values around the levels, `length` of each.
std::vector<double> steps(const std::vector<double>& levels, std::size_t length, double deviation,
                          std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> noise(0, deviation);
    std::vector<double> values;
    for (const double level : levels)
        for (std::size_t k = 0; k < length; ++k) values.push_back(level + noise(engine));
    return values;
}

std::vector<std::size_t> places(const std::vector<double>& values,
                                const history::ChangePointRule& rule = {}) {
    std::vector<std::size_t> found;
    for (const auto& point : change_points(values, rule)) found.push_back(point.at);
    return found;
}

using Places = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a step without noise is found where it is", "[history]") {
    CHECK(places({5, 5, 5, 5, 5, 9, 9, 9, 9, 9}) == Places{5});
    CHECK(places({9, 9, 9, 9, 5, 5, 5, 5}) == Places{4});
    CHECK(change_points(std::vector<double>{5, 5, 5, 5, 5, 9, 9, 9, 9, 9}).front().p < 0.05);
}

TEST_CASE("steps are found at the right commits", "[history]") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        // Three times the standard deviation: the place may be off by one.
        const Places one = places(steps({100, 103}, 15, 0.6, seed));
        REQUIRE(!one.empty());
        CHECK(std::abs(static_cast<int>(one.front()) - 15) <= 1);
        const Places several = places(steps({100, 110, 95}, 12, 0.8, seed));
        REQUIRE(several.size() >= 2);
        CHECK(several.front() == 12);
        CHECK(several.back() == 24);
    }
}

TEST_CASE("a pulse between two equal levels is two change points", "[history]") {
    CHECK(places(steps({10, 12, 10}, 10, 0.05, 3)) == Places{10, 20});
}

TEST_CASE("series without a change are called changed no more often than the significance",
          "[history]") {
    int alarms = 0;
    constexpr int series = 400;
    for (std::uint64_t seed = 1; seed <= series; ++seed)
        alarms += !places(steps({100}, 20, 1, 1000 + seed)).empty();
    // 5 % of 400 are 20; a binomial variable exceeds 35 once in 2000 times.
    CHECK(alarms <= 35);
    CHECK(alarms >= 5);
}

TEST_CASE("heavy tails without a change raise few alarms", "[history]") {
    std::mt19937_64 engine(5);
    std::lognormal_distribution<double> noise(0, 1);
    int alarms = 0;
    for (int k = 0; k < 200; ++k) {
        std::vector<double> values(24);
        for (double& value : values) value = 100 + noise(engine);
        alarms += !places(values).empty();
    }
    CHECK(alarms <= 22);
}

TEST_CASE("constant, short and single series have no change point", "[history]") {
    CHECK(places({}).empty());
    CHECK(places({1}).empty());
    CHECK(places({1, 1, 2, 2}).empty());  // too few permutations differ
    CHECK(places(std::vector<double>(30, 4.0)).empty());
    // A single slow commit is no change, and neither is the newest value alone.
    CHECK(places({5, 5.01, 5, 5.02, 9, 5, 5.01, 5, 5.02, 5}).empty());
    CHECK(places({5, 5.01, 5, 5.02, 5, 5.01, 5, 5.02, 9}).empty());
}

TEST_CASE("the result depends only on the values and the rule", "[history]") {
    const std::vector<double> values = steps({100, 101}, 12, 1, 7);
    history::ChangePointRule strict;
    strict.significance = 0.01;
    CHECK(places(values) == places(values));
    CHECK(places(values, strict).size() <= places(values).size());
    CHECK_THROWS_AS(change_points(std::vector<double>{1, std::nan(""), 1, 1}),
                    std::invalid_argument);
    CHECK_THROWS_AS(change_points(std::vector<double>{1, std::numeric_limits<double>::infinity()}),
                    std::invalid_argument);
}

TEST_CASE("time changes below the threshold are not reported", "[history]") {
    const std::vector<double> two = steps({100, 102}, 10, 0.05, 2);
    CHECK(history::time_changes(two, 0.03).empty());
    const auto found = history::time_changes(two, 0.01);
    REQUIRE(found.size() == 1);
    CHECK(found.front().commit == 10);
    CHECK(found.front().ratio() == Approx(1.02).epsilon(0.001));
    // Two small steps in one direction become a large one, at the larger of the two.
    const auto merged = history::time_changes(steps({100, 102, 105}, 10, 0.05, 2), 0.025);
    REQUIRE(merged.size() == 1);
    CHECK(merged.front().commit == 20);
    CHECK(merged.front().before_ns == Approx(101).epsilon(0.02));
    CHECK(merged.front().after_ns == Approx(105).epsilon(0.001));
}

}  // namespace camber::change_points_test
