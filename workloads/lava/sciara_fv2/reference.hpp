// The plain reference of SCIARA-fv2.
#pragma once

#include "harness/base/state.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/lava/sciara_fv2/parameters.hpp"

namespace camber::sciara_fv2 {

// Cells that a step processes. Lava moves by one cell per step, so a halo of one cell around cells
// with lava is sufficient; processing all cells gives the same bits.
enum class Extent { lava, board };

// Computes step `number` + 1 from `from` to `to`, whose fields altitude, thickness, temperature and
// solidified and whose account are overwritten. Any number of CPU threads gives the same bits.
void step(const State& from, State& to, const GenerationContext& context,
          Extent extent = Extent::lava);

// The number of steps after which the parameters' stop rule ends a run from `initial`. Throws
// Error(usage) where that is beyond ten million.
int steps_by_rule(const State& initial, GenerationContext context);

}  // namespace camber::sciara_fv2
