// Both forms of the minimization algorithm: worked examples, and comparison with each other.
#include <algorithm>
#include <array>
#include <cmath>

#include "tests/catch.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/water/water_flow/rule.hpp"

namespace camber::water_flow::minimisation_test {
namespace {

double sorted(double water, std::array<double, 5> altitudes) {
    double q[5];
    std::ranges::copy(altitudes, q);
    return level_by_sorting(water, q);
}

double eliminated(double water, const std::array<double, 5>& altitudes) {
    return level_by_elimination(water, altitudes.data(), 5);
}

}  // namespace

TEST_CASE("water is shared out as worked by hand", "[water_flow]") {
    struct Example {
        double water;
        std::array<double, 5> altitudes;
        double level;
        std::array<double, 5> shares;
    };
    const Example examples[] = {
        {5, {0, 0, 0, 0, 0}, 1, {1, 1, 1, 1, 1}},
        {3, {2, 1, 4, 10, 3}, 3, {1, 2, 0, 0, 0}},
        {0, {2, 1, 4, 10, 3}, 1, {0, 0, 0, 0, 0}},
        {0.5, {5, 1, 1, 1, 1}, 1.125, {0, 0.125, 0.125, 0.125, 0.125}},
        {10, {1, 2, 3, 4, 5}, 5, {4, 3, 2, 1, 0}},
        {1, {3, 3, 3, 3, 3}, 3.2, {0.2, 0.2, 0.2, 0.2, 0.2}},
        {4, {0, 1, 1, 6, 8}, 2, {2, 1, 1, 0, 0}},
        {2, {0, 2, 2, 2, 2}, 2, {2, 0, 0, 0, 0}},
        // The printed code, whose four steps are independent of each other, gives -3.75.
        {0.5, {-5, -1, -2, -4, -3}, -4.5, {0.5, 0, 0, 0, 0}},
    };
    for (const Example& example : examples) {
        CAPTURE(example.water, example.altitudes);
        for (const double level : {sorted(example.water, example.altitudes),
                                   eliminated(example.water, example.altitudes)}) {
            CHECK(level == Approx(example.level).epsilon(1e-15));
            for (int i = 0; i < 5; ++i)
                CHECK(larger(0.0, level - example.altitudes[i]) ==
                      Approx(example.shares[i]).margin(1e-15));
        }
    }
}

TEST_CASE("both forms of the minimisation agree, and share out all water", "[water_flow]") {
    double largest = 0, largest_loss = 0;
    for (std::uint64_t n = 0; n < 200000; ++n) {
        std::array<double, 5> q;
        for (std::uint64_t i = 0; i < 5; ++i) q[i] = 10 * uniform(31, 6 * n + i) - 5;
        if (n % 3 == 0)  // ties
            for (double& altitude : q) altitude = std::floor(altitude);
        const double water = n % 5 == 0 ? 0 : 20 * uniform(31, 6 * n + 5) * uniform(32, n);
        const double level = sorted(water, q);
        largest = std::max(largest, std::abs(level - eliminated(water, q)));
        double shared = 0;
        for (const double altitude : q) shared += larger(0.0, level - altitude);
        largest_loss = std::max(largest_loss, std::abs(shared - water));
    }
    CHECK(largest < 2e-14);
    CHECK(largest_loss < 2e-14);
}

TEST_CASE("the elimination ends where rounding puts equal cells above their average",
          "[water_flow]") {
    for (std::uint64_t n = 0; n < 20000; ++n) {
        const float altitude = static_cast<float>(10 * uniform(33, n));
        const float q[5] = {altitude, altitude, altitude, altitude, altitude};
        for (int count = 1; count <= 5; ++count)
            REQUIRE(level_by_elimination(0.f, q, count) == Approx(altitude).epsilon(1e-6));
    }
}

// A network of comparators that sorts all zeros and ones sorts everything (Knuth 1973, 5.3.4).
TEST_CASE("the network sorts five values", "[water_flow]") {
    for (int bits = 0; bits < 32; ++bits) {
        float q[5];
        for (int i = 0; i < 5; ++i) q[i] = static_cast<float>(bits >> i & 1);
        const float sum = q[0] + q[1] + q[2] + q[3] + q[4];
        sort_five(q);
        CHECK(std::is_sorted(q, q + 5));
        CHECK(q[0] + q[1] + q[2] + q[3] + q[4] == sum);
    }
}

}  // namespace camber::water_flow::minimisation_test
