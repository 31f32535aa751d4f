// Initial states of surface water: dry, on generated or real terrain.
#pragma once

#include <cstdint>

#include "harness/base/state.hpp"
#include "workloads/core/ascii_grid.hpp"

namespace camber::surface_water {

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
