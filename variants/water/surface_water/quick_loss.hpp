// A cell's loss from the descents to its lower neighbors, in as few instructions as possible.
//
// The device's cbrtf, sqrtf and division each test whether a number is too large or too small for
// the fast path, and `larger` takes two instructions in case one of two numbers is NaN. Here, all
// roots and quotients use the fast path, with the operations that the compiler emits for normal
// numbers (nvcc 13.0). One test at the end detects numbers that were too small for it, and the loss
// is then recomputed. The bits are those of loss_at_rate().
#pragma once

#include "harness/machine/kernel/vocabulary.hpp"
#include "workloads/water/surface_water/rules.hpp"

CAMBER_WORKLOAD_BEGIN(surface_water)

// Maximum of two numbers, neither of them NaN or -0.
CAMBER_DEVICE float larger_number(float a, float b) {
#if CAMBER_ON_DEVICE
    return fmaxf(a, b);
#else
    return larger(a, b);
#endif
}
CAMBER_DEVICE float smaller_number(float a, float b) {
#if CAMBER_ON_DEVICE
    return fminf(a, b);
#else
    return smaller(a, b);
#endif
}

// Descents from a cell to its lower neighbors: their sum, and the largest ones.
struct Descents {
    float sum;
    float orthogonal;
    float diagonal;

    // Descents to the row above; 0 for cells that are not lower.
    CAMBER_DEVICE static Descents of_upper(float north_west, float north, float north_east) {
        return {(north_west + north) + north_east, north, larger_number(north_west, north_east)};
    }
    CAMBER_DEVICE void add_orthogonal(float descent) {
        sum += descent;
        orthogonal = larger_number(orthogonal, descent);
    }
    CAMBER_DEVICE void add_diagonal(float descent) {
        sum += descent;
        diagonal = larger_number(diagonal, descent);
    }
    CAMBER_DEVICE Drops<float> drops() const { return {sum, orthogonal, diagonal}; }
};

#if CAMBER_ON_DEVICE

CAMBER_DEVICE float approximate_reciprocal(float x) {
    float result;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}
CAMBER_DEVICE float quick_quotient(float a, float b) {
    const float first = approximate_reciprocal(b);
    const float per_b = fmaf(first, fmaf(-b, first, 1.0f), first);
    const float quotient = a * per_b;
    return fmaf(per_b, fmaf(-b, quotient, a), quotient);
}
CAMBER_DEVICE float quick_square_root(float x) {
    float per_root;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(per_root) : "f"(x));
    const float root = x * per_root;
    return fmaf(fmaf(-root, root, x), 0.5f * per_root, root);
}
CAMBER_DEVICE float quick_cube_root(float x) {
    float logarithm, per_square;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(logarithm) : "f"(x));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(per_square) : "f"(logarithm * (-2.0f / 3.0f)));
    const float root = x * per_square;
    return fmaf(root, fmaf(root, -(per_square * root), 1.0f) * (1.0f / 3.0f), root);
}

// If the depth or all descents are 0, a root is NaN, which smaller_number() ignores: the mobile
// water is 0 in any case.
CAMBER_DEVICE Loss<float> quick_loss(float depth, const Descents& descents,
                                     const FlowParameters<float>& parameters) {
    const float slope = larger_number(descents.orthogonal * parameters.per_dx,
                                      descents.diagonal * parameters.per_diagonal);
    const float root = quick_cube_root(depth);
    const float velocity = root * root * quick_square_root(slope) * parameters.per_manning;
    const float largest = larger_number(descents.orthogonal, descents.diagonal);
    const float mobile = smaller_number(depth, 0.5f * largest);
    const float discharge =
        rounded_product(smaller_number(1.0f, courant_number(velocity, parameters)), mobile);
    return {discharge, quick_quotient(discharge, larger_number(0x1p-126f, descents.sum))};
}

#endif

// Losses of N adjacent cells.
template <int N>
CAMBER_DEVICE void losses_of(const float (&depth)[N], const Descents (&descents)[N],
                             const FlowParameters<float>& parameters, Loss<float> (&losses)[N]) {
#if CAMBER_ON_DEVICE
    // The fast path is correct if the discharge is at least this large, or 0: subtracting 1 from 0
    // gives the largest unsigned integer.
    const unsigned least = __float_as_uint(0x1p-80f) - 1;
    unsigned smallest = least;
    #pragma unroll
    for (int c = 0; c < N; ++c) {
        losses[c] = quick_loss(depth[c], descents[c], parameters);
        smallest = min(smallest, __float_as_uint(losses[c].discharge) - 1);
    }
    if (smallest >= least) return;
#endif
#pragma unroll
    for (int c = 0; c < N; ++c) losses[c] = loss_at_rate(depth[c], descents[c].drops(), parameters);
}

CAMBER_TARGET_END
