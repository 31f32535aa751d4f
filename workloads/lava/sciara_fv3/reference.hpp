// The plain reference of SCIARA-fv3.
#pragma once

#include "harness/base/state.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/lava/sciara_fv3/parameters.hpp"

namespace camber::sciara_fv3 {

// The order in which contributions to a cell are added: gathered, from the neighbors in their
// order; or scattered, from the cells in the order of a walk over the board, column by column as in
// the model's serial form, or row by row. Only rounding differs.
enum class Order { gather, scatter_by_columns, scatter_by_rows };

// Computes a step of states with cells of R from `from` to `to`, all of whose fields but the vents,
// and whose account, are overwritten. Any number of CPU threads gives the same bits; to scatter
// takes one.
template <class R>
void step(const State& from, State& to, const GenerationContext& context,
          Order order = Order::gather, Trigonometry form = Trigonometry::branching);

}  // namespace camber::sciara_fv3
