// The short arithmetic of SCIARA-fv2 against the functions that it stands for.
#include "variants/lava/sciara_fv2/short_lava.hpp"

#include <cmath>
#include <random>

#include "tests/catch.hpp"
#include "tests/workloads/lava/sciara_fv2/cases.hpp"
#include "variants/lava/sciara_fv2/canonical_lava.hpp"

namespace camber::sciara_fv2::short_lava_test {
namespace {

TEST_CASE("short powers of two are right to two units in the last place", "[short_lava]") {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> exponents(-12, 12);
    for (int i = 0; i < 20000; ++i) {
        const double x = exponents(random);
        CAPTURE(x);
        REQUIRE(std::abs(power_of_two(x) / std::exp2(x) - 1) <= 5e-16);
    }
    CHECK(power_of_two(0) == 1);
    CHECK(power_of_two(-3) == 0.125);
    CHECK(power_of_two(10) == 1024);
}

TEST_CASE("short cube roots are right to the last places", "[short_lava]") {
    std::mt19937_64 random(8);
    std::uniform_real_distribution<double> exponents(0, 20);
    for (int i = 0; i < 20000; ++i) {
        const double x = std::pow(10.0, exponents(random));
        CAPTURE(x);
        REQUIRE(std::abs(reciprocal_cube_root(x) * std::cbrt(x) - 1) <= 1e-15);
    }
    CHECK(std::abs(reciprocal_cube_root(1) - 1) <= 1e-15);
}

struct Neighbourhood9 {
    double heads[neighbours + 1];
    double h_0;
    double temperature;
};

// Compares the results of both arithmetics for the same cell.
void compare_outflows(const Neighbourhood9& cell) {
    const ParameterSet set = etna_2006();
    double expected[neighbours];
    double actual[neighbours];
    CanonicalLava::outflows(cell.heads, cell.h_0, cell.temperature, CanonicalLava::outflow(set),
                            expected);
    ShortLava::outflows(cell.heads, cell.h_0, cell.temperature, ShortLava::outflow(set), actual);
    for (int k = 0; k < neighbours; ++k) {
        CAPTURE(k, expected[k]);
        REQUIRE(std::abs(actual[k] - expected[k]) <= 1e-11);
    }
}

TEST_CASE("short outflows are those of the reference", "[short_lava]") {
    std::mt19937_64 random(9);
    std::uniform_real_distribution<double> height(-6, 6);
    std::uniform_real_distribution<double> temperature(1143, 1360);
    for (int i = 0; i < 20000; ++i) {
        Neighbourhood9 cell{};
        for (double& head : cell.heads) head = 2500 + height(random);
        cell.h_0 = std::abs(height(random)) + 0.01;
        cell.temperature = temperature(random);
        compare_outflows(cell);
    }
}

// Cells exactly at the average are where rounding decides who is left out: the search must end, and
// what flows to them is nothing either way.
TEST_CASE("short outflows end where cells are at the average", "[short_lava]") {
    std::mt19937_64 random(10);
    std::uniform_int_distribution<int> tenths(0, 30);
    for (int i = 0; i < 50000; ++i) {
        Neighbourhood9 cell{};
        for (double& head : cell.heads) head = 3000 + 0.1 * tenths(random);
        cell.h_0 = 0.1 * (1 + tenths(random));
        cell.temperature = 1360;
        compare_outflows(cell);
    }
}

TEST_CASE("short mixing and cooling are those of the reference", "[short_lava]") {
    const ParameterSet set = etna_2006();
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> share(0, 1);
    for (int i = 0; i < 20000; ++i) {
        double in[neighbours];
        double in_temperature[neighbours];
        double out[neighbours];
        double h = 3 * share(random);
        double t = 1150 + 200 * share(random);
        for (int k = 0; k < neighbours; ++k) {
            in[k] = share(random) < 0.5 ? share(random) : 0;
            in_temperature[k] = 1150 + 200 * share(random);
            out[k] = share(random) < 0.5 ? h / 10 * share(random) : 0;
        }
        double short_h = h;
        double short_t = t;
        CanonicalLava::exchange_and_cool(in, in_temperature, out, h, t,
                                         CanonicalLava::cooling(set));
        ShortLava::exchange_and_cool(in, in_temperature, out, short_h, short_t,
                                     ShortLava::cooling(set));
        CAPTURE(h, t);
        REQUIRE(std::abs(short_h - h) <= 1e-14 * 10);
        REQUIRE(std::abs(short_t - t) <= 1e-9);
    }
    // Nothing there and nothing coming: nothing changes.
    const double none[neighbours] = {};
    double h = 0;
    double t = 1143;
    ShortLava::exchange_and_cool(none, none, none, h, t, ShortLava::cooling(set));
    CHECK(h == 0);
    CHECK(t == 1143);
}

}  // namespace
}  // namespace camber::sciara_fv2::short_lava_test
