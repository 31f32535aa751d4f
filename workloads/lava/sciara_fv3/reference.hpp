// CPU reference of SCIARA-fv3.
#pragma once

#include <vector>

#include "harness/base/state.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/lava/sciara_fv3/parameters.hpp"

namespace camber::sciara_fv3 {

// Order in which contributions to a cell are added. `gather`: in the order of the neighbors. The
// others scatter, visiting the cells column by column, as the serial form of the model does, or row
// by row. Only rounding differs.
enum class Order { gather, scatter_by_columns, scatter_by_rows };

// Computes a step from `from` to `to`, whose fields except the vents and whose account are
// overwritten; cells have type R. The bits do not depend on the number of CPU threads; scattering
// uses one thread.
template <class R>
void step(const State& from, State& to, const GenerationContext& context,
          Order order = Order::gather, Trigonometry form = Trigonometry::branching);

// The same steps on a list of active cells. On one core (`active_list`), cells write into their
// neighbors, with the bits of Order::scatter_by_rows; on all cores they gather, with those of
// Order::gather.
std::vector<ReferenceForm> active_list_forms();

}  // namespace camber::sciara_fv3
