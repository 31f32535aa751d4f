// Water flow, plainly: the step that kernels are compared with.
#pragma once

#include "workloads/state.hpp"

namespace camber::water_flow {

// What sources put into cells, and took out of them.
struct Exchange {
    double added = 0;
    double drained = 0;
};

// One step of the closed system, from `from` (fields "terrain", "level" and "sources" of type T) to
// the level of `to`, on `threads` CPU threads. Best levels come from the original form of the
// minimisation algorithm, over the neighbours that exist; kernels use the other form and a halo.
// Instantiated for float and double.
template <class T>
Exchange step(const State& from, State& to, int threads);

// The same in place, on one thread.
template <class T>
Exchange step(State& state);

// All of a state's water: levels above the terrain.
template <class T>
double water(const State& state);

}  // namespace camber::water_flow
