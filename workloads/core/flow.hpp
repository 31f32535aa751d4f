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

// How far a flow may be from the expected one where its cells are not compared one by one. Shares
// are of the larger of the two values. Absent: not limited.
struct FlowLimits {
    // Maximum deviation of `mass` from `supplied`, as a share.
    double mass_error = 0;
    // Cells covered by both / by either, at least.
    std::optional<double> jaccard = std::nullopt;
    // Largest difference of thickness, m.
    std::optional<double> largest_difference = std::nullopt;
    // Largest difference of the numbers of covered cells, as a share.
    std::optional<double> covered_difference = std::nullopt;
    // Largest difference of the times, as a share.
    std::optional<double> time_difference = std::nullopt;
    // They hold for expected flows with at least this many covered cells; smaller ones are compared
    // cell by cell all the same.
    std::int64_t least_cells = 0;
};

}  // namespace camber
