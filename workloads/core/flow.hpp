// Comparison of whole flows, for runs in which rounding errors have changed the flow's course so
// that single cells cannot be compared.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace camber {

struct Flow {
    // Thickness of each cell, row by row, m: above 0 where the flow covers it.
    std::vector<double> thickness;
    // Not 0 for cells that have been reached at any time, of each cell, row by row.
    std::vector<std::uint8_t> reached;
    // Actual mass, and the mass that should be there by the initial state, the emission up to the
    // flow's own time, and the losses: sums of thicknesses, m.
    double mass = 0;
    double supplied = 0;
    double supplied_error = 0;  // how far `supplied` may be from what it says, m
    // Since the start, s, where the flow decides on its steps' length.
    std::optional<double> time = std::nullopt;
};

}  // namespace camber
