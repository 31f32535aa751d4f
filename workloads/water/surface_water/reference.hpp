// CPU reference of surface water, against which kernels are verified, and initial states on
// generated or real terrain.
#pragma once

#include <cstdint>
#include <memory>

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
// flow across the board's edge. If the states have clocks (add_clocks()), the result is that of the
// first form in row-major order, bit by bit, and the clocks are written, too. Instantiated for
// float and double.
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

// Adds the field "clock" of type T, 0 everywhere, to a state of the first form.
template <class T>
void add_clocks(State& state);

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

enum class Order { row_major, reversed };

// Computes one generation in five passes: rain; infiltration; every cell's loss; every cell, in
// order, adds its shares to the neighbors' gains; gains and losses are applied. If the states have
// clocks (add_clocks()), cells release water by them, and the third pass advances them. Without
// clocks, water leaves at its rate, and the result agrees with generation() apart from rounding.
// Account and types are those of generation(). `ended` is called at the end of each pass.
template <class T>
void form_a_generation(const State& from, State& to, const GenerationContext& context,
                       Order order = Order::row_major, const PassEnded& ended = {});

}  // namespace camber::surface_water

namespace camber {

// Workload `surface_water_clock`: the first form of surface water, with clocks.
std::unique_ptr<Workload> make_surface_water_clock();

}  // namespace camber
