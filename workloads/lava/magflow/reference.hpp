// CPU reference of MAGFLOW, and its fields on the host.
#pragma once

#include <vector>

#include "harness/base/state.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/lava/event.hpp"
#include "workloads/lava/fields.hpp"
#include "workloads/lava/magflow/parameters.hpp"

namespace camber::magflow {

// Fields of MAGFLOW on the host, and sums over them.

using namespace lava::fields;

inline constexpr const char* heat_field = "heat";  // of the fluid, J
// Simulated time, s: one element of type float64.
inline constexpr const char* time_field = "time";

// Entries that final states add to the account.
inline constexpr const char* time_account = "time";                  // s
inline constexpr const char* edge_reached_account = "edge_reached";  // 1: lava is at the edge

// With lagged steps: the length that this step's fluxes allow for the next step, s.
inline constexpr const char* allowed_account = "allowed_step";

// Initial state of an event, with cells of type float32 or float64. Altitudes of an event are those
// of the surface, including solid lava; a negative altitude marks missing ground, which becomes a
// wall without lava. `capacity` is density times specific heat times cell area, J/(m K).
State initial_state(const lava::Event& event, ElementType cell, double capacity);

// Sum of a field's cells in double.
double total(const HostField& field);
// True if fluid or solid lava is in the outermost rows or columns.
bool edge_reached(const State& state);

// Reference steps.

// Computation of the fluxes. `gather`: every cell gathers from its eight neighbors, so each pair is
// computed twice. `pairs`: each pair is computed once and added to both of its cells, in four
// passes over the board that preserve the order of each cell's additions. Both give the same bits.
enum class PairOrder { gather, pairs };

// Cells that a step processes. Lava moves by at most one cell per step, so a halo of one cell
// around all cells with lava or a vent is sufficient; processing the whole board gives the same
// bits.
enum class Coverage { lava, board };

// Computes a step from `from` to `to`, whose fields thickness, solidified, heat, temperature and
// time and whose account are overwritten. The bits do not depend on the number of CPU threads.
// Throws Error(unavailable) if no step above 0 s is possible, or if a cell is not finite.
void step(const State& from, State& to, const GenerationContext& context,
          Coverage extent = Coverage::lava, PairOrder order = PairOrder::gather);

// The same steps on a list of active cells, each pair of cells once and in place, on one core
// (`active_list`) and on all. All give the bits of step().
std::vector<ReferenceForm> active_list_forms();

}  // namespace camber::magflow
