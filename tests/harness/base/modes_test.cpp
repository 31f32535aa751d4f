#include "harness/base/modes.hpp"

#include <random>
#include <vector>

#include "tests/catch.hpp"

namespace modes_test {

using camber::two_modes;

TEST_CASE("samples of two speeds are told, with their shares", "[statistics]") {
    std::vector<double> samples;
    for (int i = 0; i < 12; ++i) samples.push_back(1.0 + 0.001 * i);
    for (int i = 0; i < 4; ++i) samples.push_back(1.3 + 0.001 * i);
    const auto modes = two_modes(samples);
    REQUIRE(modes.has_value());
    CHECK(modes->share_of_slow == Approx(0.25));
    CHECK(modes->slow_over_fast == Approx(1.3).epsilon(0.01));
}

TEST_CASE("noise, outliers and few samples are no two speeds", "[statistics]") {
    std::mt19937 engine(1);
    std::normal_distribution<double> normal(1, 0.1);
    std::vector<double> noise;
    for (int i = 0; i < 200; ++i) noise.push_back(normal(engine));
    CHECK_FALSE(two_modes(noise).has_value());
    std::vector<double> outlier(20, 1.0);
    outlier.back() = 2;
    CHECK_FALSE(two_modes(outlier).has_value());
    CHECK_FALSE(two_modes(std::vector<double>{1, 1, 1, 2, 2, 2}).has_value());
    CHECK_FALSE(two_modes(std::vector<double>(20, 1.0)).has_value());
    // A gap of 1 % is within what any two runs differ by.
    std::vector<double> near(10, 1.0);
    near.insert(near.end(), 10, 1.01);
    CHECK_FALSE(two_modes(near).has_value());
}

}  // namespace modes_test
