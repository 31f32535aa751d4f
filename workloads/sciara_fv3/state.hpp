// The fields of SCIARA-fv3 on the host.
#pragma once

#include <span>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/lava/emission.hpp"

namespace camber::sciara_fv3 {

// Of float or double:
inline constexpr const char* altitude_field = "altitude";        // m; below 0: none is known
inline constexpr const char* thickness_field = "thickness";      // of liquid lava, m
inline constexpr const char* temperature_field = "temperature";  // K
inline constexpr const char* momentum_x_field = "momentum_x";    // per area, to the east, m^2/s
inline constexpr const char* momentum_y_field = "momentum_y";    // per area, to the north, m^2/s
inline constexpr const char* solidified_field = "solidified";    // thickness of solid lava, m
// Of bytes: 0, or the number of the vent in the cell, from 1 on in the order of the emission rates.
inline constexpr const char* vents_field = "vents";
// Two cells of double, whatever the others are: the duration of the last step, 0 before the first,
// and the time since the start that the emission has reached, s.
inline constexpr const char* clock_field = "clock";
inline constexpr Size clock_size{2, 1};

// What the reference keeps account of.
inline constexpr const char* initial_account = "initial";  // sums of thicknesses, m
inline constexpr const char* emitted_account = "emitted";
inline constexpr const char* clamped_account = "clamped";  // flows whose distance was out of range
// What final states add to it.
inline constexpr const char* liquid_account = "liquid";  // sums of thicknesses, m
inline constexpr const char* solid_account = "solid";
inline constexpr const char* edge_account = "edge";  // cells at the board's edge that lava reached
inline constexpr const char* time_account = "time";  // since the start, s

// A state without lava on the given ground, row by row. Every vent must have rates.
State bare_state(Size size, ElementType cell, std::span<const double> altitude,
                 const std::vector<lava::VentCell>& vents, const lava::EmissionRates& rates);
// As initial account what the state holds.
void open_account(State& state);

// Values for the cells of a floating-point field, rounded to its type.
void assign(HostField& field, std::span<const double> values);
std::vector<double> values_of(const HostField& field);
double total(const HostField& field);

}  // namespace camber::sciara_fv3
