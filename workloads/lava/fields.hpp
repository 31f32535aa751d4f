// Field and account names of all lava states, and access to their cells and vents for any
// floating-point type.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/lava/emission.hpp"

namespace camber::lava {

// Names of the fields and account entries of all lava workloads.

inline namespace fields {

inline constexpr const char* altitude_field = "altitude";        // of the ground, m
inline constexpr const char* thickness_field = "thickness";      // of fluid lava, m
inline constexpr const char* temperature_field = "temperature";  // of the fluid, K
inline constexpr const char* solidified_field = "solidified";    // thickness of solid lava, m
// One byte per cell: 0, or the number of the vent in the cell. Vents are numbered from 1, in the
// order of the emission rates.
inline constexpr const char* vents_field = "vents";

// Entries of the reference's account, and entries that final states add. The values are sums of
// thicknesses, m.
inline constexpr const char* initial_account = "initial";
inline constexpr const char* emitted_account = "emitted";
inline constexpr const char* liquid_account = "liquid";
inline constexpr const char* solid_account = "solid";

}  // namespace fields

// Cells of a floating-point field as double, row by row.
inline std::vector<double> values_of(const HostField& field) {
    return with_real_cells(
        field, [](auto cells) { return std::vector<double>(cells.begin(), cells.end()); });
}

// Sets each cell of a byte field that has a vent to the vent's number, counted from 1 in the order
// of the emission rates. Every vent must have rates.
inline void number_vents(HostField& field, const std::vector<VentCell>& vents,
                         const EmissionRates& rates) {
    const auto numbers = field.cells<std::uint8_t>();
    for (const VentCell& vent : vents)
        numbers[static_cast<std::size_t>(vent.row) * field.size().columns + vent.column] =
            static_cast<std::uint8_t>(rates.index_of(vent.id) + 1);
}

}  // namespace camber::lava
