// The plain reference of MAGFLOW.
#pragma once

#include "harness/base/state.hpp"
#include "workloads/core/workload.hpp"

namespace camber::magflow {

// How fluxes are found: every cell gathers from its eight neighbors, so that each pair is computed
// twice; or every pair is computed once and given to both of its cells, in four passes over the
// board that keep the order of each cell's additions. Both give the same bits.
enum class PairOrder { gather, pairs };

// Cells that a step processes. Lava moves by one cell per step, so a halo of one cell around cells
// with lava or a vent is sufficient; processing all cells gives the same bits.
enum class Extent { lava, board };

// Computes a step from `from` to `to`, whose fields thickness, solidified, heat, temperature and
// time and whose account are overwritten. Any number of CPU threads gives the same bits. Throws
// Error(unavailable) where no step above 0 s is possible or a cell is no finite number.
void step(const State& from, State& to, const GenerationContext& context,
          Extent extent = Extent::lava, PairOrder order = PairOrder::gather);

}  // namespace camber::magflow
