// Plain CPU reference of MAGFLOW, and its fields on the host.
#pragma once

#include "harness/base/state.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/lava/event.hpp"
#include "workloads/lava/fields.hpp"
#include "workloads/lava/magflow/parameters.hpp"

namespace camber::magflow {

// The fields of MAGFLOW on the host, and sums over them.

using namespace lava::fields;

inline constexpr const char* heat_field = "heat";  // of the fluid, J
// Since the start, s: one element, of type float64.
inline constexpr const char* time_field = "time";

// Entries that final states add to the account.
inline constexpr const char* time_account = "time";                  // s
inline constexpr const char* edge_reached_account = "edge_reached";  // 1: lava is in an edge's cell

// With lagged steps: the length that this step allows for the next one, s.
inline constexpr const char* allowed_account = "allowed_step";

// The start of an event, its cells of type float32 or float64. Altitudes of an event are those of
// the surface, solid lava included, and negative where there is no ground: a wall is there, without
// lava. `capacity`: density times specific heat times the area of a cell, J/(m K).
State initial_state(const lava::Event& event, ElementType cell, double capacity);

// Sum of a field's cells, in double.
double total(const HostField& field);
// True if fluid or solid lava is in the outermost rows or columns.
bool edge_reached(const State& state);

// The plain reference of MAGFLOW.

// How fluxes are found: every cell gathers from its eight neighbors, so that each pair is computed
// twice; or every pair is computed once and given to both of its cells, in four passes over the
// board that keep the order of each cell's additions. Both give the same bits.
enum class PairOrder { gather, pairs };

// Cells that a step processes. Lava moves by one cell per step, so a halo of one cell around cells
// with lava or a vent is sufficient; processing all cells gives the same bits.
enum class Coverage { lava, board };

// Computes a step from `from` to `to`, whose fields thickness, solidified, heat, temperature and
// time and whose account are overwritten. Any number of CPU threads gives the same bits. Throws
// Error(unavailable) where no step above 0 s is possible or a cell is no finite number.
void step(const State& from, State& to, const GenerationContext& context,
          Coverage extent = Coverage::lava, PairOrder order = PairOrder::gather);

}  // namespace camber::magflow
