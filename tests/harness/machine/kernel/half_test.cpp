// Half precision: all values, and the values between them.
#include "harness/machine/kernel/half.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"

namespace camber {

// Floats represent every half, and the midpoint of any two.
TEST_CASE("every half is the nearest one to itself and to what is half way nearer", "[half]") {
    for (unsigned bits = 0; bits < 0x7c00; ++bits) {
        const auto own = static_cast<std::uint16_t>(bits);
        const auto next = static_cast<std::uint16_t>(bits + 1);
        const float value = half_value(own);
        const float above = bits == 0x7bff ? 65536.0f : half_value(next);
        const float middle = value + (above - value) / 2;
        const std::uint16_t even = bits % 2 == 0 ? own : next;
        const bool right =
            value < above && half_bits(value) == own &&
            half_bits(std::nextafter(middle, 0.0f)) == own && half_bits(middle) == even &&
            half_bits(std::nextafter(middle, above)) == next &&
            half_bits(-value) == (own | 0x8000) && half_value(own | 0x8000) == -value;
        if (!right) {
            CAPTURE(bits, value, above);
            CHECK(right);
        }
    }
}

// IEEE 754-2008, section 3.6, table 3.5.
TEST_CASE("halves have the values of binary16", "[half]") {
    CHECK(half_value(0x3c00) == 1.0f);
    CHECK(half_value(0x3555) == 0.333251953125f);
    CHECK(half_value(0x7bff) == 65504.0f);
    CHECK(half_value(0x0400) == 0x1p-14f);
    CHECK(half_value(0x0001) == 0x1p-24f);
    CHECK(half_value(0xc000) == -2.0f);
    CHECK(std::signbit(half_value(0x8000)));
    CHECK(half_value(0x7c00) == std::numeric_limits<float>::infinity());
    CHECK(std::isnan(half_value(0x7e00)));
    CHECK(half_bits(std::numeric_limits<float>::infinity()) == 0x7c00);
    CHECK(half_bits(-1e30f) == 0xfc00);
    CHECK(half_bits(0x1p-26f) == 0);
    CHECK(std::isnan(half_value(half_bits(std::nanf("")))));
}

}  // namespace camber
