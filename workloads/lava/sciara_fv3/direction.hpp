// Direction of lava: the angle of its velocity, the shares of its speed along the two adjacent
// lattice directions, and the elementary functions for both precisions.
#pragma once

#include <cmath>

#include "workloads/core/arithmetic.hpp"
#include "workloads/lava/sciara_fv2/physics.hpp"

namespace camber::sciara_fv3 {

// Elementary functions in the precision of their argument.
CAMBER_HD inline float exponential(float x) {
    return ::expf(x);
}
CAMBER_HD inline double exponential(double x) {
    return ::exp(x);
}
CAMBER_HD inline float sine(float x) {
    return ::sinf(x);
}
CAMBER_HD inline double sine(double x) {
    return ::sin(x);
}
CAMBER_HD inline float cosine(float x) {
    return ::cosf(x);
}
CAMBER_HD inline double cosine(double x) {
    return ::cos(x);
}
CAMBER_HD inline float arc_tangent(float x) {
    return ::atanf(x);
}
CAMBER_HD inline double arc_tangent(double x) {
    return ::atan(x);
}
CAMBER_HD inline float arc_cosine(float x) {
    return ::acosf(x);
}
CAMBER_HD inline double arc_cosine(double x) {
    return ::acos(x);
}

// SCIARA-fv3 has the neighborhood of SCIARA-fv2.
using sciara_fv2::column_offset;
using sciara_fv2::is_diagonal;
using sciara_fv2::neighbours;
using sciara_fv2::opposite;
using sciara_fv2::row_offset;

inline constexpr double diagonal_cosine = 0.70710678118654752440;

// Unit vector towards neighbor k; x points east, y north.
template <class R>
CAMBER_HD constexpr R unit_x(int k) {
    return is_diagonal(k) ? column_offset(k) * R(diagonal_cosine) : R(column_offset(k));
}
template <class R>
CAMBER_HD constexpr R unit_y(int k) {
    return is_diagonal(k) ? -row_offset(k) * R(diagonal_cosine) : R(-row_offset(k));
}

// Direction of neighbor k in units of 45 degrees, counterclockwise from the east.
CAMBER_HD constexpr int sector(int k) {
    constexpr int sectors[] = {0, 2, 4, 0, 6, 3, 5, 7, 1};
    return sectors[k];
}

inline constexpr double pi = 3.14159265358979323846;

// Selection of the half plane of the angle, above or below the east-west line: by a branch, or by
// arithmetic with a condition that counts as 0 or 1, so that threads of a warp do not diverge. Both
// give the same bits.
enum class Trigonometry { branching, if_free };

// Angle of a vector, counterclockwise from the east, in [0, 2 pi]; 0 for the null vector.
template <Trigonometry form, class R>
CAMBER_HD R direction_angle(R x, R y, R length) {
    if (!(length > 0)) return 0;
    const R angle = arc_cosine(larger(R(-1), smaller(R(1), x / length)));
    constexpr R turn = R(2 * pi);
    if constexpr (form == Trigonometry::branching) {
        if (y >= 0) return angle;
        return turn - angle;
    } else {
        const R upper = y >= 0;
        return upper * angle + (1 - upper) * (turn - angle);
    }
}

// Decomposition of a speed along two adjacent lattice directions: `first`, a sector, and the next
// one counterclockwise.
template <class R>
struct Split {
    int first = 0;
    R along_first = 0;
    R along_next = 0;

    // Share of the speed towards neighbor k.
    CAMBER_HD R towards(int k) const {
        const int s = sector(k);
        return s == first ? along_first : s == (first + 1) % 8 ? along_next : R(0);
    }
};
template <Trigonometry form, class R>
CAMBER_HD Split<R> split(R x, R y, R length) {
    constexpr R eighth = R(pi / 4);
    const R angle = direction_angle<form>(x, y, length);
    // The quotient is nonnegative and below 2^31, so the conversion equals the floor.
    int first = static_cast<int>(angle / eighth);
    R rest = angle - first * eighth;
    if (first >= 8) {
        first = 0;
        rest = 0;
    }
    constexpr R whole = R(diagonal_cosine);
    return {first, length * sine(eighth - rest) / whole, length * sine(rest) / whole};
}

}  // namespace camber::sciara_fv3
