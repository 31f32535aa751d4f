// CPU reference of surface water, with which kernels are compared, and initial states on generated
// or real terrain.
#pragma once

#include <cstdint>

#include "harness/base/state.hpp"
#include "workloads/core/ascii_grid.hpp"
#include "workloads/core/workload.hpp"

namespace camber::surface_water {

// Reference of surface water, with which kernels are compared.

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

// Initial states of surface water: dry, on generated or real terrain.

// Fields "terrain", "depth" and "infiltration" of type T, of a board that is all inert and dry.
template <class T>
State inert_state(Size size);

// A dry valley with two sets of ridges and rough ground, about 1800 m high, within a ring of inert
// cells; half of the cells take up 2 mm/h and half 5 mm/h, by the hash `mix`. Made for camber,
// since the published runs' terrain is not at hand. Computed in float whatever T is, so that both
// types start from the same values. Instantiated for float and double.
template <class T>
State valley(Size size, std::uint64_t seed = 1);

// A given terrain; cells without data and the outermost ring are inert, and infiltration is the
// valley's.
template <class T>
State dry_terrain(const AsciiGrid& terrain, std::uint64_t seed = 1);

}  // namespace camber::surface_water
