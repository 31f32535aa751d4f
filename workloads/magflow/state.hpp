// The fields of MAGFLOW on the host, and sums over them.
#pragma once

#include "harness/base/state.hpp"
#include "workloads/lava/event.hpp"
#include "workloads/magflow/parameters.hpp"

namespace camber::magflow {

inline constexpr const char* altitude_field = "altitude";        // of the ground, m
inline constexpr const char* thickness_field = "thickness";      // of fluid lava, m
inline constexpr const char* solidified_field = "solidified";    // thickness of solid lava, m
inline constexpr const char* heat_field = "heat";                // of the fluid, J
inline constexpr const char* temperature_field = "temperature";  // of the fluid, K
// 0, or the number of the vent in the cell, from 1 on in the order of the emission rates.
inline constexpr const char* vents_field = "vents";
// Since the start, s: one element, of type float64.
inline constexpr const char* time_field = "time";

// What the reference keeps account of, sums of thicknesses in m.
inline constexpr const char* initial_account = "initial";
inline constexpr const char* emitted_account = "emitted";
inline constexpr const char* liquid_account = "liquid";
inline constexpr const char* solid_account = "solid";
inline constexpr const char* time_account = "time";                  // s
inline constexpr const char* edge_reached_account = "edge_reached";  // 1: lava is in an edge's cell

// The start of an event, its cells of type float32 or float64. Altitudes of an event are those of
// the surface, solid lava included, and negative where there is no ground: a wall is there, without
// lava. `capacity`: density times specific heat times the area of a cell, J/(m K).
State initial_state(const lava::Event& event, ElementType cell, double capacity);

// Sum of a field's cells, in double.
double total(const HostField& field);
// Whether fluid or solid lava is in the outermost rows or columns.
bool edge_reached(const State& state);

}  // namespace camber::magflow
