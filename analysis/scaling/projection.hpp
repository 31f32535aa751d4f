// What more units than were measured would bring, if they lose as those that were.
#pragma once

#include <vector>

#include "harness/results/scaling.hpp"

namespace camber::scaling {

struct Projection {
    int p = 0;
    // Where T/T1 keeps its serial part: that of the two-term fit, or e of the largest p measured.
    double by_serial_part = 0;  // efficiencies
    // Where every further unit costs as much as the fits say: the three-term one, or the overhead's
    // where there are too few points for it.
    double by_unit_cost = 0;
};

// For the next two powers of two beyond the largest p measured. Empty for weak series, and where a
// fit gives no time above 0.
std::vector<Projection> projections(const Analysis& analysis);

}  // namespace camber::scaling
