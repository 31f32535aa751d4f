// Initial states of water flow.
#pragma once

#include <cstdint>

#include "harness/base/state.hpp"
#include "workloads/core/ascii_grid.hpp"

namespace camber::water_flow {

// Fields "terrain", "level" and "sources" of type T, all zero.
template <class T>
State empty_state(Size size);

// Altitudes uniform in [0, 10), 1 of water on half of the cells, a source of 0.5 a step in cell
// (0, 0) and a drain of as much in the lowest cell. Computed in float whatever T is, so that both
// types start from the same values. Instantiated for float and double.
template <class T>
State random_state(Size size, std::uint64_t seed = 21);

// A given terrain, with the water of random_state(), the source in the first cell that has data and
// the drain in the lowest one. Cells without data are as those beyond the edge: higher than all
// water.
template <class T>
State flooded_terrain(const AsciiGrid& terrain, std::uint64_t seed = 21);

}  // namespace camber::water_flow
