// outflows() of SCIARA-fv2 with fewer function calls and the same bits. Angles, a quarter of a
// kernel's arithmetic, are needed for a comparison only, whose outcome is nearly always evident
// without them.
#pragma once

#include "workloads/lava/sciara_fv2/physics.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// True if h_0 > critical * cos(atan(drop / side)) as these functions round it. All values are
// positive. cos(atan(x)) is 1 / sqrt(1 + x^2), so squares decide unless they are close to each
// other. The errors of the functions, a few units in the last place, grow with x in the cosine near
// a right angle: below 1e-11 up to the steepest drop that is decided here.
CAMBER_HD inline bool is_thick_enough(double h_0, double critical, double drop, double side) {
    constexpr double doubt = 1e-9;
    constexpr double steepest = 1e4;
    constexpr double smallest = 1e-280;  // where squares still have all their digits
    const double thickness = h_0 * h_0 * (side * side + drop * drop);
    const double threshold = critical * critical * (side * side);
    if (drop < steepest * side) {
        if (thickness > smallest && thickness > threshold * (1 + doubt)) return true;
        if (threshold > smallest && thickness < threshold * (1 - doubt)) return false;
    }
    return h_0 > critical * ::cos(::atan(drop / side));
}

// Arguments as of outflows().
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
