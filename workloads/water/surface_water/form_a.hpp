// Surface water in its first form: each cell distributes its water to its neighbors, so the result
// depends, at least by rounding, on the order of the cells (Balasalle 2011, section 6.1; the source
// reports a stronger dependence, without defining it). A serial program for comparison with the
// strict form.
#pragma once

#include <span>

#include "harness/base/state.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/workload.hpp"

namespace camber::surface_water {

// When a cell lets water go.
enum class Release {
    rate,   // in every step, the share that its velocity moves by a cell
    clock,  // all that is mobile, once its velocity times the time since the last release is a cell
};

enum class Order { row_major, reversed };

// One generation in five passes: rain; infiltration; every cell's loss; every cell, in order, adds
// its shares to the neighbors' gains; gains and losses are applied. Fields, account and types as
// in generation(), to which Release::rate is equal apart from rounding. `clocks` are the cells'
// times since the last release in s, one per cell, 0 at the start; Release::rate leaves them alone.
// `ended` is told of the passes.
template <class T>
void form_a_generation(const State& from, State& to, std::span<T> clocks,
                       const GenerationContext& context, Release release, Order order,
                       const PassEnded& ended = {});

}  // namespace camber::surface_water
