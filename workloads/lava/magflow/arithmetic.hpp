// Arithmetic whose order is part of MAGFLOW's definition here: the same bits from every compiler
// and processor that rounds as IEEE 754 says. Sources that include this are compiled without
// contraction of products and sums (cmake/ExactWorkloads.cmake).
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "harness/base/target.hpp"

namespace camber::magflow {

// How a floating-point type is made of bits.
template <class R>
struct Bits;
template <>
struct Bits<float> {
    using Type = unsigned;
    static constexpr int mantissa = 23;
    static constexpr int bias = 127;
    static constexpr int degree = 7;  // of the polynomial in exp10()
};
template <>
struct Bits<double> {
    using Type = unsigned long long;
    static constexpr int mantissa = 52;
    static constexpr int bias = 1023;
    static constexpr int degree = 13;
};

template <class R>
CAMBER_HD inline typename Bits<R>::Type bits_of(R value) {
    static_assert(sizeof(typename Bits<R>::Type) == sizeof(R));
    typename Bits<R>::Type bits;
    memcpy(&bits, &value, sizeof(R));
    return bits;
}
template <class R>
CAMBER_HD inline R value_of(typename Bits<R>::Type bits) {
    R value;
    memcpy(&value, &bits, sizeof(R));
    return value;
}

CAMBER_HD inline float root(float x) {
    return ::sqrtf(x);
}
CAMBER_HD inline double root(double x) {
    return ::sqrt(x);
}
CAMBER_HD inline float nearest(float x) {
    return ::rintf(x);
}
CAMBER_HD inline double nearest(double x) {
    return ::rint(x);
}

// 10^x, for |x| <= 10 within 1.2e-7 (float) or 2.4e-16 (double) of it. Mathematical libraries
// differ in the last bit of their powers; this is the same everywhere. Reduction by powers of two
// in two parts (Cody and Waite 1980), then a Taylor polynomial.
template <class R>
CAMBER_HD inline R exp10(R x) {
    constexpr R inverse_factorial[] = {R(1.0),
                                       R(1.0),
                                       R(1.0 / 2),
                                       R(1.0 / 6),
                                       R(1.0 / 24),
                                       R(1.0 / 120),
                                       R(1.0 / 720),
                                       R(1.0 / 5040),
                                       R(1.0 / 40320),
                                       R(1.0 / 362880),
                                       R(1.0 / 3628800),
                                       R(1.0 / 39916800),
                                       R(1.0 / 479001600),
                                       R(1.0 / 6227020800)};
    constexpr int bias = Bits<R>::bias;
    const R n = nearest(x * R(3.32192809488736235));
    R r = (x - n * R(0.301025390625)) - n * R(4.605038981195214e-6);
    r = r * R(2.30258509299404568);
    R p = inverse_factorial[Bits<R>::degree];
    for (int k = Bits<R>::degree - 1; k >= 0; --k) p = p * r + inverse_factorial[k];
    // Normal numbers only.
    const R least = R(1 - bias);
    const R most = R(bias);
    const R clamped = n < least ? least : (n > most ? most : n);
    using Word = typename Bits<R>::Type;
    const Word exponent = static_cast<Word>(static_cast<int>(clamped) + bias);
    return p * value_of<R>(exponent << Bits<R>::mantissa);
}

// A sum, with what rounding lost carried along where it is compensated (Kahan 1965).
template <class R, bool compensated>
struct Sum {
    R value = 0;
    R lost = 0;

    CAMBER_HD void add(R x) {
        if constexpr (compensated) {
            const R y = x - lost;
            const R sum = value + y;
            lost = (sum - value) - y;
            value = sum;
        } else {
            value = value + x;
        }
    }
};

}  // namespace camber::magflow
