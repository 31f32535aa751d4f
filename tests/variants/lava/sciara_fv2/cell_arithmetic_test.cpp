// Arithmetic of a SCIARA-fv2 cell with short dependency chains: ShortLava and RoundedLava.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>

#include "tests/catch.hpp"
#include "tests/variants/lava/sciara_fv2/tables_in_place.hpp"
#include "tests/workloads/lava/sciara_fv2/cases.hpp"
#include "variants/lava/sciara_fv2/cell_arithmetic.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber::sciara_fv2::short_lava_test {

// ShortLava compared with the functions that it replaces.

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

// Cells exactly at the average: rounding decides which are excluded. The search must end, and the
// flow to these cells is 0 in either case.
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
    // Without lava and inflow, nothing changes.
    const double none[neighbours] = {};
    double h = 0;
    double t = 1143;
    ShortLava::exchange_and_cool(none, none, none, h, t, ShortLava::cooling(set));
    CHECK(h == 0);
    CHECK(t == 1143);
}

}  // namespace
}  // namespace camber::sciara_fv2::short_lava_test

namespace camber::sciara_fv2::rounded_lava_test {

// RoundedLava has the bits of CanonicalLava if its powers have those of pow().

namespace {

struct Cell {
    double heads[neighbours + 1];
    double h_0;
};
Cell scattered(std::uint64_t i, double height) {
    Cell cell{};
    for (int k = 0; k <= neighbours; ++k)
        cell.heads[k] = number(10 + static_cast<std::uint64_t>(k), i, 1000 - height, 1000 + height);
    cell.h_0 = number(20, i, 0, 2 * height);
    return cell;
}
// Heights are multiples of 0.1, so that many are equal or at the average.
Cell even(std::uint64_t i) {
    Cell cell{};
    for (int k = 0; k <= neighbours; ++k)
        cell.heads[k] = 0.1 * static_cast<double>(mix(30 + static_cast<std::uint64_t>(k), i) % 30);
    cell.h_0 = 0.1 * static_cast<double>(1 + mix(40, i) % 30);
    return cell;
}

void compare_levels(const Cell& cell) {
    const RoundedLava::Outflow outflow = RoundedLava::outflow(etna_2006());
    const double surface = cell.heads[0] + cell.h_0;
    unsigned candidates = 1;
    for (int k = 1; k <= neighbours; ++k)
        if (surface > cell.heads[k]) candidates |= 1u << k;
    const Level expected = minimised(cell.heads, candidates, cell.h_0);
    const Level actual =
        minimised_by_zeros(cell.heads, candidates, cell.h_0, surface, outflow.per_count);
    REQUIRE(actual.kept == expected.kept);
    if (expected.kept != 0)
        REQUIRE(std::memcmp(&actual.height, &expected.height, sizeof(double)) == 0);
}

TEST_CASE("minimisation by zeros is minimisation", "[rounded_lava]") {
    for (std::uint64_t i = 0; i < 50'000; ++i) {
        CAPTURE(i);
        compare_levels(scattered(i, 10));
        compare_levels(scattered(i, 1e-9));
        compare_levels(even(i));
    }
}

TEST_CASE("lava is thick enough for all neighbours at once where it is for each",
          "[rounded_lava]") {
    std::uint64_t enough = 0;
    for (std::uint64_t i = 0; i < 50'000; ++i) {
        CAPTURE(i);
        Cell cell = scattered(i, std::pow(10, number(50, i, -3, 6)));
        const double critical = number(51, i, 0.1, 60);
        const double side = number(52, i, 1, 20);
        // At the threshold of one neighbor, or at a random height.
        const int k = 1 + static_cast<int>(mix(53, i) % neighbours);
        const double angle = std::atan((cell.heads[0] + cell.h_0 - cell.heads[k]) / side);
        if (i % 2 == 0) cell.h_0 = critical * std::cos(angle);
        const double surface = cell.heads[0] + cell.h_0;
        unsigned kept = static_cast<unsigned>(mix(54, i)) & 0x1ff;
        unsigned expected = 0;
        for (int n = 1; n <= neighbours; ++n) {
            if (!(surface > cell.heads[n])) kept &= ~(1u << n);
            if (kept >> n & 1 &&
                cell.h_0 > critical * std::cos(std::atan((surface - cell.heads[n]) / side)))
                expected |= 1u << n;
        }
        REQUIRE(thick_enough(cell.heads, kept, cell.h_0, surface, critical, side) == expected);
        enough += expected != 0;
    }
    CHECK(enough > 5'000);
}

TEST_CASE("rounded outflows have the reference's bits", "[rounded_lava]") {
    std::int64_t flowing = 0;
    std::int64_t differing = 0;
    for (const ParameterSet& set : {etna_2006(), etna_2001(), second_etna_2006()}) {
        const RoundedLava::Outflow outflow = RoundedLava::outflow(set);
        for (std::uint64_t i = 0; i < 50'000; ++i) {
            const Cell cell = i % 3 == 0 ? even(i) : scattered(i, 10);
            const double temperature = number(21, i, 1143, 1360);
            double expected[neighbours];
            double actual[neighbours];
            outflows(cell.heads, cell.h_0, temperature, outflow.laws, expected);
            RoundedLava::outflows(cell.heads, cell.h_0, temperature, outflow, actual, tables);
            const bool same_share =
                power_of_ten(outflow.laws.relaxation.a + outflow.laws.relaxation.b * temperature,
                             tables) == outflow.laws.relaxation.at(temperature);
            if (!same_share) ++differing;
            if (same_share) REQUIRE(std::memcmp(expected, actual, sizeof expected) == 0);
            for (const double flow : actual) flowing += flow > 0;
        }
    }
    CHECK(flowing > 20'000);
    CHECK(differing < 500);
}

TEST_CASE("rounded heads have the reference's bits", "[rounded_lava]") {
    for (std::uint64_t i = 0; i < 100'000; ++i)
        for (int k = 1; k <= neighbours; ++k) {
            const double z_0 = number(60, i, 0, 3000);
            const double z_k = z_0 + number(61, i, -30, 30);
            const double h_k = number(62, i, 0, 10);
            REQUIRE(RoundedLava::head(k, z_0, z_k, h_k) == head(k, z_0, z_k, h_k));
        }
}

TEST_CASE("rounded mixing and cooling have the reference's bits", "[rounded_lava]") {
    std::int64_t compared = 0;
    std::int64_t differing = 0;
    std::int64_t solid = 0;
    for (const ParameterSet& set :
         {etna_2006(), etna_2001(), changed(etna_2006(), {{"cooling", 3000}})}) {
        const CoolingParameters cooling = cooling_parameters(set);
        for (std::uint64_t i = 0; i < 50'000; ++i) {
            CAPTURE(i);
            double in[neighbours];
            double in_temperature[neighbours];
            double out[neighbours];
            double h = 3 * uniform(70, i);
            double t = number(71, i, 1130, 1360);
            for (int k = 0; k < neighbours; ++k) {
                const auto of_k = 8 * i + static_cast<std::uint64_t>(k);
                in[k] = uniform(72, of_k) < 0.5 ? uniform(73, of_k) : 0;
                in_temperature[k] = number(74, of_k, 1143, 1360);
                out[k] = uniform(75, of_k) < 0.5 ? h / 8 * uniform(76, of_k) : 0;
            }
            double own_h = h;
            double own_t = t;
            CanonicalLava::exchange_and_cool(in, in_temperature, out, h, t, cooling);
            RoundedLava::exchange_and_cool(in, in_temperature, out, own_h, own_t,
                                           RoundedLava::cooling(set), tables);
            REQUIRE(own_h == h);
            REQUIRE((own_t > cooling.solid) == (t > cooling.solid));
            if (!(t > cooling.solid)) {
                ++solid;
                continue;
            }
            ++compared;
            REQUIRE(std::abs(own_t - t) <= 1e-12);
            differing += own_t != t;
        }
    }
    CAPTURE(compared, differing, solid);
    CHECK(compared > 50'000);
    CHECK(solid > 1'000);
    // None with glibc on a processor with fused multiply-adds: see power_table_test.cpp.
    CHECK(differing < 300);
}

// If hardly any lava is left, its temperature may be NaN; kernels must not continue with it.
TEST_CASE("rounded cooling ends as the reference's where nearly nothing is left",
          "[rounded_lava]") {
    const ParameterSet set = etna_2006();
    const double none[neighbours] = {};
    for (const double left : {0.0, 1e-300, 1e-200, 1e-100, 1e-40, 1e-30, 1e-20, 1e-10})
        for (const double temperature : {0.0, 1000.0, 1143.0, 1143.5, 1360.0}) {
            CAPTURE(left, temperature);
            double h = left;
            double t = temperature;
            double own_h = h;
            double own_t = t;
            CanonicalLava::exchange_and_cool(none, none, none, h, t, CanonicalLava::cooling(set));
            RoundedLava::exchange_and_cool(none, none, none, own_h, own_t,
                                           RoundedLava::cooling(set), tables);
            CHECK(own_h == h);
            if (h > 0) CHECK((own_t > 1143) == (t > 1143));
            if (!(h > 0)) CHECK(own_t == t);
        }
}

}  // namespace
}  // namespace camber::sciara_fv2::rounded_lava_test
