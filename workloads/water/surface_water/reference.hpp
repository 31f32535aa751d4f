// Reference of surface water, with which kernels are compared.
#pragma once

#include "harness/base/state.hpp"
#include "workloads/core/workload.hpp"

namespace camber::surface_water {

// Entries of the reference's account. Depths in m, summed over the cells that are not inert; an
// area of dx * dx turns them into volumes.
inline constexpr const char* rained_account = "rained";
inline constexpr const char* infiltrated_account = "infiltrated";
inline constexpr const char* lost_account = "lost";      // to neighbors,
inline constexpr const char* gained_account = "gained";  // and from them
// The largest courant_number() so far: above 1, the time step is too long for the water's velocity.
inline constexpr const char* courant_account = "largest_courant_number";

// One generation of the revised, strictly cellular model: loss and gain both from the depths after
// rain and infiltration (Balasalle 2011, section 6.3). Fields "terrain", "depth" and "infiltration"
// of type T; writes `to`'s depth and account only. Beyond the board nothing happens. Instantiated
// for float and double.
template <class T>
void generation(const State& from, State& to, const GenerationContext& context);

// All of a state's water: depths of the cells that are not inert, summed.
template <class T>
double water(const State& state);

}  // namespace camber::surface_water
