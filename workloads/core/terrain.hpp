// Reads a terrain from an ESRI ASCII grid as a workload's initial state.
#pragma once

#include "workloads/core/ascii_grid.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// The grid in the file conditions.input, which must be there. Throws Error(usage) where it does not
// fill the board, is to be placed on it, or has altitudes that nothing can be higher than.
AsciiGrid read_terrain(const InitialConditions& conditions);

}  // namespace camber
