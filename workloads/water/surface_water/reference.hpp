// CPU reference of surface water, against which kernels are verified, and initial states on
// generated or real terrain.
#pragma once

#include <cstdint>
#include <span>

#include "harness/base/state.hpp"
#include "workloads/core/ascii_grid.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/workload.hpp"

namespace camber::surface_water {

// Reference steps.

// Entries of the reference's account: depths in m, summed over all cells that are not inert.
// Multiply by dx * dx to get volumes.
inline constexpr const char* rained_account = "rained";
inline constexpr const char* infiltrated_account = "infiltrated";
inline constexpr const char* lost_account = "lost";      // to neighbors,
inline constexpr const char* gained_account = "gained";  // and from them
// Largest courant_number() so far. Above 1, the time step is too long for the water's velocity.
inline constexpr const char* courant_account = "largest_courant_number";

// Computes one generation of the revised, strictly cellular model: loss and gain both follow from
// the depths after rain and infiltration (Balasalle 2011, section 6.3). Fields "terrain", "depth"
// and "infiltration" have type T; only the depth and the account of `to` are written. There is no
// flow across the board's edge. Instantiated for float and double.
template <class T>
void generation(const State& from, State& to, const GenerationContext& context);

// Total water of a state: sum of the depths of all cells that are not inert.
template <class T>
double water(const State& state);

// Initial states of surface water: dry, on generated or real terrain.

// Fields "terrain", "depth" and "infiltration" of type T on a board that is completely inert and
// dry.
template <class T>
State inert_state(Size size);

// Dry valley about 1800 m high with two sets of ridges and rough ground, within a ring of inert
// cells. Half of the cells, selected by the hash `mix`, absorb 2 mm/h, the others 5 mm/h. It was
// generated for camber, because the terrain of the published runs is not available. Computed in
// float for any T, so that both types start from the same values. Instantiated for float and
// double.
template <class T>
State valley(Size size, std::uint64_t seed = 1);

// Dry state on a given terrain; cells without data and the outermost ring are inert, and
// infiltration is the valley's.
template <class T>
State dry_terrain(const AsciiGrid& terrain, std::uint64_t seed = 1);

// ---- first form

// First form of surface water: each cell distributes its water to its neighbors, so the result depends on
// the order of the cells, at least by rounding (Balasalle 2011, section 6.1; the source reports a stronger
// dependence, without defining it). A serial program for comparison with the strict form.

// Rule by which a cell releases water.
enum class Release {
    rate,   // in every step, the share that its velocity moves across a cell
    clock,  // all mobile water, as soon as velocity times time since the last release exceeds a
            // cell
};

enum class Order { row_major, reversed };

// Computes one generation in five passes: rain; infiltration; every cell's loss; every cell, in
// order, adds its shares to the neighbors' gains; gains and losses are applied. Fields, account and
// types as in generation(), with which Release::rate agrees apart from rounding. `clocks` contains
// the time since the last release of each cell in s, 0 at the start; Release::rate does not use it.
// `ended` is called at the end of each pass.
template <class T>
void form_a_generation(const State& from, State& to, std::span<T> clocks,
                       const GenerationContext& context, Release release, Order order,
                       const PassEnded& ended = {});

}  // namespace camber::surface_water
