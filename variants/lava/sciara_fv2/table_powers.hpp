// Powers with the bits of glibc's pow(), in the ranges that SCIARA-fv2 needs and without a branch:
// the operations of its form for processors with fused multiply-adds, in their order (since 2.28;
// S. Nagy, Arm Optimized Routines, 2018). A correctly rounded power would differ from pow() for one
// argument in a thousand, which after some thousand steps is another flow.
//
// `Tables`: PowerTables or has its at(). Numbers are positive, finite and normal, and so are
// powers.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "variants/lava/sciara_fv2/power_table.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

CAMBER_DEVICE std::uint64_t bits_of(double x) {
    std::uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
CAMBER_DEVICE double of_bits(std::uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// A number as the sum of two, of which the second is below the first's last place.
struct TwoWords {
    double high, low;
};

// log x to 68 binary places: x = 2^k z, log x = k log 2 + log c + log(z / c).
template <class Tables>
CAMBER_DEVICE TwoWords logarithm(double x, const Tables& tables) {
    constexpr double log_2 = 0x1.62e42fefa38p-1;  // with zeros at its end: k log_2 is exact
    constexpr double log_2_rest = 0x1.ef35793c7673p-45;
    const std::uint64_t beyond = bits_of(x) - first_mantissa;
    const int i = static_cast<int>(beyond >> 45) & (power_columns - 1);
    const double k = static_cast<int>(static_cast<std::int64_t>(beyond) >> 52);
    const double z = of_bits(bits_of(x) - (beyond & std::uint64_t{0xfff} << 52));
    const double r = ::fma(z, tables.at(PowerRow::per_c, i), -1.0);  // exact

    const double whole = ::fma(k, log_2, tables.at(PowerRow::log_c, i));  // exact
    const double first = whole + r;
    const double half_r = -0.5 * r;
    const double square = r * half_r;
    const double second = first + square;
    const double low = ::fma(k, log_2_rest, tables.at(PowerRow::log_c_rest, i));
    const double low_of_first = whole - first + r;
    const double low_of_square = ::fma(half_r, r, -square);
    const double low_of_second = first - second + square;
    // The series from the third power on, in r and -r^2 / 2.
    const double series = ::fma(square,
                                ::fma(square, ::fma(r, 0x1.0002b8b263fc3p0, -0x1.2495b9b4845e9p0),
                                      ::fma(r, -0x1.555555529a47ap-1, 0x1.999999959554ep-1)),
                                ::fma(r, 0x1.0000000000006p-1, -0x1.555555555556p-1));
    const double rest =
        ::fma(r * square, series, low + low_of_first + low_of_square + low_of_second);
    const double high = second + rest;
    return {high, second - high + rest};
}

// e^(x.high + x.low) for |x| < 512: x = k log(2) / 128 + r.
template <class Tables>
CAMBER_DEVICE double exponential(const TwoWords& x, const Tables& tables) {
    constexpr double rounder = 0x1.8p52;  // pushes what is behind the point out of a double
    const double shifted = ::fma(0x1.71547652b82fep7, x.high, rounder);
    const auto k = static_cast<std::int32_t>(bits_of(shifted));
    const int i = k & (power_columns - 1);
    const double whole = shifted - rounder;
    const double r =
        ::fma(whole, -0x1.cf79abc9e3b3ap-47, ::fma(whole, -0x1.62e42fefap-8, x.high)) + x.low;
    const std::int64_t exponent = static_cast<std::int64_t>(k >> 7) * (std::int64_t{1} << 52);
    const double scale =
        of_bits(bits_of(tables.at(PowerRow::power_of_2, i)) + static_cast<std::uint64_t>(exponent));
    const double square = r * r;
    const double first = tables.at(PowerRow::power_of_2_rest, i) + r;
    const double second =
        ::fma(square, ::fma(r, 0x1.555555555543cp-3, 0x1.ffffffffffdbdp-2), first);
    const double all =
        ::fma(square * square, ::fma(r, 0x1.1111167a4d017p-7, 0x1.55555cf172b91p-5), second);
    return ::fma(scale, all, scale);
}

CAMBER_DEVICE TwoWords product(double y, const TwoWords& x) {
    const double high = y * x.high;
    return {high, ::fma(y, x.low, ::fma(y, x.high, -high))};
}

// pow(x, y)
template <class Tables>
CAMBER_DEVICE double power(double x, double y, const Tables& tables) {
    return exponential(product(y, logarithm(x, tables)), tables);
}
// pow(10, y)
template <class Tables>
CAMBER_DEVICE double power_of_ten(double y, const Tables& tables) {
    return exponential(product(y, {0x1.26bb1bbb55516p1, -0x1.f48ad482p-53}), tables);
}

CAMBER_TARGET_END
