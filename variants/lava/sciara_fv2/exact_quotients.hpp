// Quotients rounded as a division rounds them, by products, where the divisor is known before the
// dividend. Where no product or remainder underflows: dividends are 0 or above 1e-250.
#pragma once

#include <cmath>

#include "harness/base/target.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// 1 / b in two words, each the double nearest to what it stands for.
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

// a / b for b from 1 to 9 and for root 2. No quotient is nearer to the middle of two doubles than
// 1 / (2 B) units of its last place, where B is b, or root 2 times 2^52, as a whole number: 2^-5 or
// 2^-53.5. The sum, before it is rounded, is off by less than 2^-52 or 2^-54.2 units. (Brisebarre,
// Muller and Raina, IEEE Transactions on Computers 53, 2004.)
CAMBER_HD inline double quotient(double a, const Reciprocal& per_b) {
    return ::fma(a, per_b.high, a * per_b.low);
}
CAMBER_HD constexpr Reciprocal per_root_2() {
    return {0x1.6a09e667f3bccp-1, 0x1.08b2fb1366eaap-56};
}

// a / b, where per_b is 1 / b rounded to nearest (Markstein 1990, IBM Journal of Research and
// Development 34): the remainder is exact, and its own quotient, which is off by 2^-53 of itself,
// moves the sum by less than a / b can be off the middle of two doubles.
CAMBER_HD inline double quotient(double a, double b, double per_b) {
    const double near = a * per_b;
    return ::fma(::fma(-b, near, a), per_b, near);
}

// The same if before b only an approximate reciprocal is known, off by some last places: `near`, a
// product with it, is corrected once before it is used as above.
CAMBER_HD inline double quotient_by_guess(double a, double b, double guess) {
    const double far = a * guess;
    const double near = ::fma(::fma(-b, far, a), guess, far);
    const double per_b = ::fma(::fma(-b, guess, 1.0), guess, guess);
    return ::fma(::fma(-b, near, a), per_b, near);
}

CAMBER_TARGET_END
