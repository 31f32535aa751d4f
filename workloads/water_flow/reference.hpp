// Water flow, plainly: the serial step that kernels are compared with.
#pragma once

#include "workloads/state.hpp"

namespace camber::water_flow {

// What sources put into cells, and took out of them.
struct Exchange {
    double added = 0;
    double drained = 0;
};

// Advances `state` (fields "terrain", "level" and "sources" of type T) by one step of the closed
// system. Best levels come from the original form of the minimisation algorithm, over the
// neighbours that exist; kernels use the other form and a halo. Instantiated for float and double.
template <class T>
Exchange step(State& state);

// All of a state's water: levels above the terrain.
template <class T>
double water(const State& state);

}  // namespace camber::water_flow
