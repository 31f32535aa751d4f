// The fields of SCIARA-fv2 on the host, and sums over them.
#pragma once

#include <span>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/lava/emission.hpp"

namespace camber::sciara_fv2 {

inline constexpr const char* altitude_field = "altitude";        // m; below 0: none is known
inline constexpr const char* thickness_field = "thickness";      // of liquid lava, m
inline constexpr const char* temperature_field = "temperature";  // K
inline constexpr const char* solidified_field = "solidified";    // thickness of solid lava, m
// 1 for cells that take no part: the outermost ring, those without a known altitude and their
// neighbours. What flows there is lost.
inline constexpr const char* frame_field = "frame";
// 0, or the number of the vent in the cell, from 1 on in the order of the emission rates.
inline constexpr const char* vents_field = "vents";

// What the reference keeps account of, sums of thicknesses in m.
inline constexpr const char* initial_account = "initial";
inline constexpr const char* emitted_account = "emitted";
inline constexpr const char* lost_account = "lost";
inline constexpr const char* liquid_account = "liquid";
inline constexpr const char* solid_account = "solid";

// A state without lava on the given ground, row by row. Every vent must have rates.
State bare_state(Size size, std::span<const double> altitude,
                 const std::vector<lava::VentCell>& vents, const lava::EmissionRates& rates);
// As initial account what the state holds.
void open_account(State& state);

// Of a tree of one shape, whatever computes it: halves of halves. m.
double tree_sum(std::span<const double> values);

}  // namespace camber::sciara_fv2
