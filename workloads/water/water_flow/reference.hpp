// Reference step of water flow, with which kernels are compared.
#pragma once

#include "harness/base/state.hpp"

namespace camber::water_flow {

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

}  // namespace camber::water_flow
