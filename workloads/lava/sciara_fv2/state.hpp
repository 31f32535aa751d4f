// The fields of SCIARA-fv2 on the host, and sums over them.
#pragma once

#include <span>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/lava/emission.hpp"
#include "workloads/lava/fields.hpp"

namespace camber::sciara_fv2 {

using namespace lava::fields;  // the altitude is below 0 where none is known

// 1 for cells that take no part: the outermost ring, those without a known altitude and their
// neighbors. What flows there is lost.
inline constexpr const char* frame_field = "frame";
inline constexpr const char* lost_account = "lost";  // sum of thicknesses, m

// A state without lava on the given ground, row by row. Every vent must have rates.
State bare_state(Size size, std::span<const double> altitude,
                 const std::vector<lava::VentCell>& vents, const lava::EmissionRates& rates);
// Opens the account with the contents of the state.
void open_account(State& state);

// Sum in a fixed tree order, halves of halves, independent of the machine. m.
double tree_sum(std::span<const double> values);

}  // namespace camber::sciara_fv2
