// The fields and accounts that the states of all lava workloads have.
#pragma once

namespace camber::lava {

inline namespace fields {

inline constexpr const char* altitude_field = "altitude";        // of the ground, m
inline constexpr const char* thickness_field = "thickness";      // of fluid lava, m
inline constexpr const char* temperature_field = "temperature";  // of the fluid, K
inline constexpr const char* solidified_field = "solidified";    // thickness of solid lava, m
// Bytes: 0, or the number of the vent in the cell, from 1 on in the order of the emission rates.
inline constexpr const char* vents_field = "vents";

// Entries of the reference's account, and additions by final states: sums of thicknesses, m.
inline constexpr const char* initial_account = "initial";
inline constexpr const char* emitted_account = "emitted";
inline constexpr const char* liquid_account = "liquid";
inline constexpr const char* solid_account = "solid";

}  // namespace fields

}  // namespace camber::lava
