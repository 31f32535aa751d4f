// The fields of SCIARA-fv3 on the host.
#pragma once

#include <span>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/lava/cells.hpp"
#include "workloads/lava/fields.hpp"

namespace camber::sciara_fv3 {

using namespace lava::fields;  // of float or double; altitude below 0: none is known

inline constexpr const char* momentum_x_field = "momentum_x";  // per area, to the east, m^2/s
inline constexpr const char* momentum_y_field = "momentum_y";  // per area, to the north, m^2/s
// Two cells of double, whatever the others are: the duration of the last step, 0 before the first,
// and the time since the start that the emission has reached, s.
inline constexpr const char* clock_field = "clock";
inline constexpr Size clock_size{2, 1};

// Entries of the reference's account, and additions by final states.
inline constexpr const char* clamped_account = "clamped";  // flows whose distance was out of range
inline constexpr const char* edge_account = "edge";  // cells at the board's edge that lava reached
inline constexpr const char* time_account = "time";  // since the start, s

// A state without lava on the given ground, row by row. Every vent must have rates.
State bare_state(Size size, ElementType cell, std::span<const double> altitude,
                 const std::vector<lava::VentCell>& vents, const lava::EmissionRates& rates);
// Opens the account with the contents of the state.
void open_account(State& state);

// Values for the cells of a floating-point field, rounded to its type.
void assign(HostField& field, std::span<const double> values);
using lava::values_of;
double total(const HostField& field);

}  // namespace camber::sciara_fv3
