// Statistics of the difference between two flows as a whole. They are used when single cells cannot
// be compared because a rounding error has changed the course of the flow.
#pragma once

#include <cstdint>
#include <span>

#include "harness/record/verification.hpp"

namespace camber {

// Compares thicknesses by cell, in m; those of the expected flow must be finite. Throws
// std::invalid_argument if the flows differ in the number of cells.
FlowStatistics compare_flows(std::span<const double> expected, std::span<const double> actual);

// a - b| as a share of the larger of |a| and |b|; 0 if both are 0, 1 if one is not finite.
double relative_difference(double a, double b);

// Fit of a simulated with a real flow: the number of cells that are nonzero in both over the number
// of cells that are nonzero in at least one (e1 of Spataro et al. 2010, section 4). 0 if there are
// none. Throws std::invalid_argument if the numbers of cells differ.
double event_fit(std::span<const std::uint8_t> real, std::span<const std::uint8_t> simulated);

}  // namespace camber
