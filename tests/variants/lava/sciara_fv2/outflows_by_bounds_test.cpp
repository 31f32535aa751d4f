// Outflows by bounds have the bits of outflows by angles.
#include "variants/lava/sciara_fv2/outflows_by_bounds.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/catch.hpp"
#include "tests/workloads/lava/sciara_fv2/cases.hpp"
#include "workloads/core/random.hpp"

namespace camber::sciara_fv2::outflows_by_bounds_test {
namespace {

// Uniform in [low, high).
double number(std::uint64_t seed, std::uint64_t index, double low, double high) {
    return low + (high - low) * static_cast<double>(mix(seed, index) >> 11) * 0x1p-53;
}

bool by_angle(double h_0, double critical, double drop, double side) {
    return h_0 > critical * std::cos(std::atan(drop / side));
}

TEST_CASE("lava is thick enough by bounds where it is by the angle", "[one_kernel]") {
    int thick = 0;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const double side = number(1, i, 1, 100);
        const double drop = side * std::pow(10, number(2, i, -6, 6));
        const double critical = number(3, i, 0.1, 60);
        // Thickness at the threshold, near it, and far away from it.
        const double threshold = critical * std::cos(std::atan(drop / side));
        for (const double h_0 :
             {threshold, std::nextafter(threshold, 0.0),
              std::nextafter(threshold, std::numeric_limits<double>::max()),
              threshold * (1 + 1e-10), threshold * (1 - 1e-10), threshold * (1 + 3e-9),
              threshold * (1 - 3e-9), number(4, i, 0, 2) * threshold}) {
            CAPTURE(h_0, critical, drop, side);
            REQUIRE(is_thick_enough(h_0, critical, drop, side) ==
                    by_angle(h_0, critical, drop, side));
            thick += by_angle(h_0, critical, drop, side);
        }
    }
    CHECK(thick > 40'000);
    CHECK(thick < 120'000);
}

TEST_CASE("squares too small or too large for their digits decide nothing", "[one_kernel]") {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    for (const double h_0 : {1e-300, 1e-160, 1e-140, 1.0, 1e160, 1e300})
        for (const double critical : {1e-300, 1e-160, 1e-140, 1.0, 1e160, infinite})
            for (const double drop : {1e-300, 1e-9, 1.0, 1e200}) {
                CAPTURE(h_0, critical, drop);
                CHECK(is_thick_enough(h_0, critical, drop, 10) ==
                      by_angle(h_0, critical, drop, 10));
            }
}

TEST_CASE("outflows by bounds are outflows", "[one_kernel]") {
    int flowing = 0;
    for (const ParameterSet& set : {etna_2006(), etna_2001(), second_etna_2006()}) {
        const OutflowParameters parameters = outflow_parameters(set);
        for (std::uint64_t i = 0; i < 20'000; ++i) {
            double heads[neighbours + 1];
            for (int k = 0; k <= neighbours; ++k) heads[k] = number(10 + k, i, 990, 1010);
            const double h = number(20, i, 0, 20);
            const double temperature = number(21, i, 1143, 1360);
            double expected[neighbours];
            double actual[neighbours];
            outflows(heads, h, temperature, parameters, expected);
            outflows_by_bounds(heads, h, temperature, parameters, actual);
            REQUIRE(std::memcmp(expected, actual, sizeof expected) == 0);
            for (const double flow : actual) flowing += flow > 0;
        }
    }
    CHECK(flowing > 10'000);
}

}  // namespace
}  // namespace camber::sciara_fv2::outflows_by_bounds_test
