// CPU reference of water flow, against which kernels are verified, and initial states on generated
// or real terrain.
#pragma once

#include <cstdint>

#include "harness/base/state.hpp"
#include "workloads/core/ascii_grid.hpp"

namespace camber::water_flow {

// Reference steps.

// Amounts that sources have added and drains have removed.
struct Exchange {
    double added = 0;
    double drained = 0;
};

// Algorithm for best levels: the original minimization algorithm over the existing neighbors, or
// the kernels' sorting network. Both agree apart from rounding, and rounding errors grow about as
// the square of the number of steps. The original form in double shows that kernels find the right
// level; the network in float gives the kernels' bits.
enum class Form { elimination, network };

// Computes one step of the closed system, from the fields "terrain", "level" and "sources" of
// `from`, all of type T, to the level of `to`, on `threads` CPU threads. Instantiated for float and
// double.
template <class T>
Exchange step(const State& from, State& to, int threads, Form form);

// Computes the same in place, on one thread, by elimination.
template <class T>
Exchange step(State& state);

// Total water of a state: sum of the levels above the terrain.
template <class T>
double water(const State& state);

// Initial states of water flow.

// Fields "terrain", "level" and "sources" of type T, all zero.
template <class T>
State empty_state(Size size);

// Random state: altitudes uniform in [0, 10), water of depth 1 on half of the cells, a source of
// 0.5 per step in cell (0, 0) and an equal drain in the lowest cell. Computed in float for any T,
// so that both types start from the same values. Instantiated for float and double.
template <class T>
State random_state(Size size, std::uint64_t seed = 21);

// State on a given terrain with the water of random_state(), the source in the first cell with data
// and the drain in the lowest cell. Cells without data act like those beyond the edge: they are
// higher than all water.
template <class T>
State flooded_terrain(const AsciiGrid& terrain, std::uint64_t seed = 21);

}  // namespace camber::water_flow
