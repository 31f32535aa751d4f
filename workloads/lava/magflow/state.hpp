// The fields of MAGFLOW on the host, and sums over them.
#pragma once

#include "harness/base/state.hpp"
#include "workloads/lava/event.hpp"
#include "workloads/lava/fields.hpp"
#include "workloads/lava/magflow/parameters.hpp"

namespace camber::magflow {

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

}  // namespace camber::magflow
