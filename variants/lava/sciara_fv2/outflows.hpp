// Outflows of a SCIARA-fv2 cell with the bits of the reference, in fewer function calls and shorter
// dependency chains.
#pragma once

#include <cmath>
#include <cstdint>

#include "harness/base/target.hpp"
#include "harness/machine/kernel/vocabulary.hpp"
#include "variants/lava/sciara_fv2/power_table.hpp"
#include "workloads/lava/sciara_fv2/physics.hpp"

// Correctly rounded quotients by products, for divisors available before the dividend. Valid if no
// product or remainder underflows: dividends are 0 or above 1e-250.
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// 1 / b as the sum of two doubles, each rounded to nearest.
struct Reciprocal {
    double high, low;
};
inline constexpr int reciprocal_counts = 10;

// Reciprocal of an integer from 1 to 9. The remainder of a division by such a small number is
// exact, and its own quotient is rounded once.
inline Reciprocal reciprocal_of_count(int n) {
    const double high = 1.0 / n;
    return {high, std::fma(-high, n, 1.0) / n};
}

// a / b for b from 1 to 9 and for root 2. No quotient is nearer to the midpoint of two doubles than
// 1 / (2 B) units of its last place, where B is b, or root 2 times 2^52, as an integer: 2^-5 or
// 2^-53.5. Before rounding, the error of the sum is less than 2^-52 or 2^-54.2 units. (Brisebarre,
// Muller and Raina, IEEE Transactions on Computers 53, 2004.)
CAMBER_HD inline double quotient(double a, const Reciprocal& per_b) {
    return ::fma(a, per_b.high, a * per_b.low);
}
CAMBER_HD constexpr Reciprocal per_root_2() {
    return {0x1.6a09e667f3bccp-1, 0x1.08b2fb1366eaap-56};
}

// a / b, where per_b is 1 / b rounded to nearest (Markstein 1990, IBM Journal of Research and
// Development 34). The remainder is exact, and its own quotient has a relative error of 2^-53,
// which is too small to move the sum across a midpoint of two doubles.
CAMBER_HD inline double quotient(double a, double b, double per_b) {
    const double near = a * per_b;
    return ::fma(::fma(-b, near, a), per_b, near);
}

// Same if only an approximate reciprocal, `guess`, is available before b, with an error of some
// last places: `near`, its product with the dividend, is corrected once before it is used as above.
CAMBER_HD inline double quotient_by_guess(double a, double b, double guess) {
    const double far = a * guess;
    const double near = ::fma(::fma(-b, far, a), guess, far);
    const double per_b = ::fma(::fma(-b, guess, 1.0), guess, guess);
    return ::fma(::fma(-b, near, a), per_b, near);
}

CAMBER_TARGET_END

// outflows() of SCIARA-fv2 with fewer function calls and the same bits. Angles, a quarter of a
// kernel's arithmetic, are needed only for a comparison whose outcome is nearly always evident
// without them.
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// True if h_0 > critical * cos(atan(drop / side)) as these functions round it. All arguments are
// positive. Because cos(atan(x)) is 1 / sqrt(1 + x^2), squares decide unless they are close to each
// other. The errors of the functions, a few units in the last place, grow with x in the cosine near
// a right angle; they are below 1e-11 up to the steepest drop that is decided here.
CAMBER_HD inline bool is_thick_enough(double h_0, double critical, double drop, double side) {
    constexpr double doubt = 1e-9;
    constexpr double steepest = 1e4;
    constexpr double smallest = 1e-280;  // squares still have all their digits
    const double thickness = h_0 * h_0 * (side * side + drop * drop);
    const double threshold = critical * critical * (side * side);
    if (drop < steepest * side) {
        if (thickness > smallest && thickness > threshold * (1 + doubt)) return true;
        if (threshold > smallest && thickness < threshold * (1 - doubt)) return false;
    }
    return h_0 > critical * ::cos(::atan(drop / side));
}

// Arguments as in outflows().
CAMBER_HD inline void outflows_by_bounds(const double (&heads)[sciara_fv2::neighbours + 1],
                                         double h_0, double temperature,
                                         const sciara_fv2::OutflowParameters& parameters,
                                         double (&flows)[sciara_fv2::neighbours]) {
    for (int k = 1; k <= neighbours; ++k) flows[k - 1] = 0;
    const double surface = heads[0] + h_0;
    unsigned candidates = 0;
    for (int k = 1; k <= neighbours; ++k)
        if (surface > heads[k]) candidates |= 1u << k;
    if (candidates == 0) return;
    const Level level = minimised(heads, candidates | 1u, h_0);
    if (level.kept >> 1 == 0) return;
    const double critical = parameters.critical.at(temperature);
    unsigned flowing = 0;
    for (int k = 1; k <= neighbours; ++k)
        if (level.kept >> k & 1 &&
            is_thick_enough(h_0, critical, surface - heads[k], parameters.side))
            flowing |= 1u << k;
    if (flowing == 0) return;
    const double share = parameters.relaxation.at(temperature);
    for (int k = 1; k <= neighbours; ++k)
        if (flowing >> k & 1) flows[k - 1] = share * (level.height - heads[k]);
}

CAMBER_TARGET_END

// Minimization of differences, and test of the critical thickness: the bits of
// sciara_fv2::minimised() and of sciara_fv2::outflows(), in fewer and shorter dependent steps.
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Same as minimised(), for h_0 > 0 and `surface` = heads[0] + h_0. Excluded terms are added as 0,
// which changes no sum: no sum is -0, because none starts from -0.
CAMBER_DEVICE Level minimised_by_zeros(const double (&heads)[neighbours + 1], unsigned kept,
                                       double h_0, double surface,
                                       const Reciprocal (&per_count)[reciprocal_counts]) {
    for (;;) {
        double sum = kept & 1 ? surface : h_0;
        for (int k = 1; k <= neighbours; ++k) sum += kept >> k & 1 ? heads[k] : 0.0;
        const double height = quotient(sum, per_count[__popc(kept)]);
        unsigned lower = 0;
        for (int k = 0; k <= neighbours; ++k) lower |= (heads[k] < height ? 1u : 0u) << k;
        const unsigned rest = kept & lower;
        if (rest == kept) return {height, kept};
        kept = rest;
    }
}

// Sign, exponent and 20 binary places of a number. For nonnegative numbers, the integers have the
// same order as the numbers.
CAMBER_DEVICE std::int32_t upper_half(double x) {
    return static_cast<std::int32_t>(bits_of(x) >> 32);
}

// Subset of `kept` for which is_thick_enough() is true, for all neighbors at once unless a case is
// in doubt. Squares replace the functions of the angle as there, here within 2^-20, and integer
// units work in parallel with the double-precision units.
CAMBER_DEVICE unsigned thick_enough(const double (&heads)[neighbours + 1], unsigned kept,
                                    double h_0, double surface, double critical, double side) {
    constexpr double steepest = 1e4;
    constexpr double smallest = 1e-280;
    const double area = side * side;
    const double square = h_0 * h_0;
    const std::int32_t steep = upper_half(square * (area * (steepest * steepest)));
    const double least = critical * critical * area;
    const std::int32_t threshold = upper_half(least);
    unsigned unsure = least > smallest ? 0u : kept;
    unsigned enough = 0;
    for (int k = 1; k <= neighbours; ++k) {
        const double drop = surface - heads[k];
        const std::int32_t thickness = upper_half(square * ::fma(drop, drop, area));
        const bool in_doubt = static_cast<std::uint32_t>(thickness - threshold + 1) <= 2u;
        unsure |= (in_doubt || thickness >= steep ? 1u : 0u) << k;
        enough |= (thickness > threshold ? 1u : 0u) << k;
    }
    const unsigned asked = kept & ~1u;
    unsigned flowing = asked & enough & ~unsure;
    // Not unrolled, because it is hardly ever executed.
#pragma unroll 1
    for (unsigned left = asked & unsure; left != 0; left &= left - 1) {
        const unsigned first = left & (0u - left);
        double drop = 0;
        for (int k = 1; k <= neighbours; ++k)
            if (first >> k & 1) drop = surface - heads[k];
        if (is_thick_enough(h_0, critical, drop, side)) flowing |= first;
    }
    return flowing;
}

CAMBER_TARGET_END
