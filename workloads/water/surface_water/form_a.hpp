// First form of surface water: each cell distributes its water to its neighbors, so the result
// depends on the order of the cells, at least by rounding (Balasalle 2011, section 6.1; the source
// reports a stronger dependence, without defining it). A serial program for comparison with the
// strict form.
#pragma once

#include <span>

#include "harness/base/state.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/workload.hpp"

namespace camber::surface_water {

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
