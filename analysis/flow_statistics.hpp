// How far one flow is from another as a whole: what is left to compare where single cells cannot
// be, since a rounding error has changed the course of the flow. Pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "harness/record/verification.hpp"

namespace camber {

// Thicknesses by cell, m, those of the expected flow finite. Throws std::invalid_argument where the
// flows have different numbers of cells.
FlowStatistics compare_flows(std::span<const double> expected, std::span<const double> actual);

// |a - b| as a share of the larger of |a| and |b|; 0 where both are 0, 1 where one is no finite
// number.
double relative_difference(double a, double b);

// Cells that are not 0 in both / cells that are not 0 in at least one: the fit of a simulated with
// a real flow, e1 of Spataro et al. (2010), section 4. 0 where there are none. Throws
// std::invalid_argument where their numbers of cells differ.
double event_fit(std::span<const std::uint8_t> real, std::span<const std::uint8_t> simulated);

}  // namespace camber
