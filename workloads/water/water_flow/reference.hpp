// Reference step of water flow, with which kernels are compared, and initial states on generated or
// real terrain.
#pragma once

#include <cstdint>

#include "harness/base/state.hpp"
#include "workloads/core/ascii_grid.hpp"

namespace camber::water_flow {

// Reference step of water flow, with which kernels are compared.

// Amounts that sources add to cells and drains remove.
struct Exchange {
    double added = 0;
    double drained = 0;
};

// Method for best levels: the original form of the minimization algorithm, over the existing
// neighbors, or the form of the kernels. Both agree apart from rounding, and rounding errors grow
// about as the square of the steps. The original form, in double, shows whether kernels find the
// right level; theirs, in float, gives the same bits.
enum class Form { elimination, network };

// One step of the closed system, from `from` (fields "terrain", "level" and "sources" of type T) to
// the level of `to`, on `threads` CPU threads. Instantiated for float and double.
template <class T>
Exchange step(const State& from, State& to, int threads, Form form);

// The same, in place, on one thread, by elimination.
template <class T>
Exchange step(State& state);

// All of a state's water: levels above the terrain.
template <class T>
double water(const State& state);

// Initial states of water flow.

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
