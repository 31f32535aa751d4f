// Extrapolates a scaling series to more units than were measured.
#pragma once

#include <vector>

#include "harness/record/scaling.hpp"

namespace camber::scaling {

struct Projection {
    int p = 0;
    // If T/T1 keeps its serial part: that of the two-term fit, or e of the largest measured p.
    double by_serial_part = 0;  // efficiencies
    // If every further unit costs as much as in the three-term fit, or in the overhead fit if there
    // are too few points.
    double by_unit_cost = 0;
};

// For the next two powers of two beyond the largest p measured. Empty for weak series, and where a
// fit gives no time above 0.
std::vector<Projection> projections(const Analysis& analysis);

}  // namespace camber::scaling
