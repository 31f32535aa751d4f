// Minimization of differences, and which neighbors lava is thick enough for: the bits of
// sciara_fv2::minimised() and of sciara_fv2::outflows(), in fewer and shorter dependent steps.
#pragma once

#include <cstdint>

#include "harness/machine/kernel/vocabulary.hpp"
#include "variants/lava/sciara_fv2/exact_quotients.hpp"
#include "variants/lava/sciara_fv2/outflows_by_bounds.hpp"
#include "variants/lava/sciara_fv2/table_powers.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Same as minimised(), for h_0 > 0 and `surface` = heads[0] + h_0. Excluded terms are added as 0,
// which changes no sum: no sum is -0, since none starts from -0.
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

// Sign, exponent and 20 binary places: of numbers that are not negative, in the order of these.
CAMBER_DEVICE std::int32_t upper_half(double x) {
    return static_cast<std::int32_t>(bits_of(x) >> 32);
}

// Subset of `kept` for which is_thick_enough(), all at once unless a case is in doubt. As there,
// squares replace the angle's functions, here within 2^-20, using integers beside the work of the
// double-precision units.
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
    // A loop that stays one, for what is hardly ever asked.
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
