// RoundedLava has the bits of CanonicalLava, wherever its powers have those of pow().
#include "variants/lava/sciara_fv2/rounded_lava.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "tests/catch.hpp"
#include "tests/variants/lava/sciara_fv2/tables_in_place.hpp"
#include "tests/workloads/lava/sciara_fv2/cases.hpp"
#include "variants/lava/sciara_fv2/canonical_lava.hpp"
#include "workloads/core/random.hpp"

namespace camber::sciara_fv2::rounded_lava_test {
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
// Heights in tenths, so that many are equal or at the average.
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
        // At the threshold of one neighbour, or somewhere.
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
    // None with glibc on a processor with fused multiply-adds: see the test of powers.
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
