// Quotients by products, and outflows of SCIARA-fv2 by bounds: their bits are those of the plain
// functions.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "tests/catch.hpp"
#include "tests/workloads/lava/sciara_fv2/cases.hpp"
#include "variants/lava/sciara_fv2/outflows.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber::sciara_fv2::exact_quotients_test {

// Quotients by products have the bits of quotients by division.

namespace {

constexpr double root_2 = 1.4142135623730951;
constexpr std::uint64_t hidden_bit = std::uint64_t{1} << 52;

// An odd integer of 53 bits, the `i`th of a sequence.
std::uint64_t odd_mantissa(std::uint64_t seed, std::uint64_t i) {
    return hidden_bit | (mix(seed, i) >> 12) | 1;
}
// In [1, 2).
double with_mantissa(std::uint64_t mantissa) {
    return static_cast<double>(mantissa) / static_cast<double>(hidden_bit);
}

// 1 / b modulo 2^64. Newton's iteration doubles the number of correct bits, 3 at first.
std::uint64_t inverse(std::uint64_t b) {
    std::uint64_t x = b;
    for (int n = 0; n < 5; ++n) x *= 2 - b * x;
    return x;
}

// The a in [1, 2) whose quotient by b, an odd mantissa, differs by `off` / (2 b) units of its last
// place from the midpoint of two doubles: A 2^j = off + B M, where M has one bit more than a
// double. nullopt if there is none.
std::optional<double> near_middle(std::uint64_t b, std::int64_t off, int places) {
    const std::uint64_t modulus = std::uint64_t{1} << places;
    std::uint64_t m = (0 - static_cast<std::uint64_t>(off) * inverse(b)) & (modulus - 1);
    if (m < 2 * hidden_bit) m += places == 53 ? modulus : 0;
    if (m < 2 * hidden_bit || m >= 4 * hidden_bit || m % 2 == 0) return {};
    const auto product = static_cast<unsigned __int128>(b) * m + static_cast<__int128>(off);
    const auto a = static_cast<std::uint64_t>(product >> places);
    if (a < hidden_bit || a >= 2 * hidden_bit || (a < b) != (places == 54)) return {};
    return with_mantissa(a);
}

// Calls f(a, b) for the cases that are hardest to round.
template <class F>
int each_hard_case(std::uint64_t mantissa, F&& f) {
    int cases = 0;
    for (std::int64_t off = -9; off <= 9; ++off)
        for (const int places : {53, 54})
            if (const auto a = off == 0 ? std::nullopt : near_middle(mantissa, off, places)) {
                f(*a, with_mantissa(mantissa));
                ++cases;
            }
    return cases;
}

double scaled(double x, std::uint64_t seed, std::uint64_t i) {
    return std::ldexp(x, static_cast<int>(mix(seed, i) % 120) - 60);
}

TEST_CASE("quotients by small numbers are those of a division", "[rounded_lava]") {
    for (int n = 1; n < reciprocal_counts; ++n) {
        const Reciprocal per_n = reciprocal_of_count(n);
        CAPTURE(n);
        for (std::uint64_t i = 0; i < 200'000; ++i) {
            const double a = scaled(with_mantissa(odd_mantissa(n, i)), 20 + n, i);
            CAPTURE(a);
            REQUIRE(quotient(a, per_n) == a / n);
            REQUIRE(quotient(-a, per_n) == -a / n);
        }
        // Near multiples, and near midpoints between them.
        for (std::uint64_t i = 0; i < 50'000; ++i) {
            const double multiple = with_mantissa(odd_mantissa(40 + n, i)) * n;
            for (const double a :
                 {multiple, std::nextafter(multiple, 0.0), std::nextafter(multiple, 100.0)})
                REQUIRE(quotient(a, per_n) == a / n);
        }
        CHECK(std::bit_cast<std::uint64_t>(quotient(0.0, per_n)) == 0);
    }
}

TEST_CASE("quotients by root 2 are those of a division", "[rounded_lava]") {
    CHECK(per_root_2().high == 1 / root_2);
    CHECK(per_root_2().low == std::fma(-per_root_2().high, root_2, 1.0) / root_2);
    for (std::uint64_t i = 0; i < 1'000'000; ++i) {
        const double a = scaled(with_mantissa(odd_mantissa(60, i)), 61, i);
        CAPTURE(a);
        REQUIRE(quotient(a, per_root_2()) == a / root_2);
        REQUIRE(quotient(-a, per_root_2()) == -a / root_2);
    }
    const int cases =
        each_hard_case(static_cast<std::uint64_t>(root_2 * static_cast<double>(hidden_bit)),
                       [](double a, double b) {
                           CAPTURE(a);
                           REQUIRE(b == root_2);
                           REQUIRE(quotient(a, per_root_2()) == a / root_2);
                       });
    CHECK(cases >= 5);
    CHECK(std::bit_cast<std::uint64_t>(quotient(0.0, per_root_2())) == 0);
}

TEST_CASE("quotients by a reciprocal are those of a division", "[rounded_lava]") {
    const auto check = [](double a, double b) {
        CAPTURE(a, b);
        REQUIRE(quotient(a, b, 1 / b) == a / b);
        double guess = 1 / b;
        for (int n = 0; n < 4; ++n) guess = std::nextafter(guess, 0.0);
        for (int n = 0; n < 9; ++n) {
            REQUIRE(quotient_by_guess(a, b, guess) == a / b);
            guess = std::nextafter(guess, 2.0 / b);
        }
    };
    int hard = 0;
    for (std::uint64_t i = 0; i < 200'000; ++i) {
        const double b = with_mantissa(odd_mantissa(70, i));
        check(scaled(with_mantissa(odd_mantissa(71, i)), 72, i), scaled(b, 73, i));
        if (i < 40'000) hard += each_hard_case(odd_mantissa(74, i), check);
    }
    CHECK(hard > 100'000);
    // Divisors next to a power of two have the reciprocals with the largest errors.
    for (int n = 1; n < 200; ++n)
        for (const double b : {1 + n * 0x1p-52, 2 - n * 0x1p-52})
            for (std::uint64_t i = 0; i < 200; ++i) check(with_mantissa(odd_mantissa(75, i)), b);
}

}  // namespace
}  // namespace camber::sciara_fv2::exact_quotients_test

namespace camber::sciara_fv2::outflows_by_bounds_test {

// Outflows by bounds have the bits of outflows by angles.

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
        // Thickness at the threshold, near it, and far from it.
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
