// Cells of a state's fields with any floating-point type, and the vents in them.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/core/real_cells.hpp"
#include "workloads/lava/emission.hpp"

namespace camber::lava {

// The cells of a field of real numbers, row by row.
inline std::vector<double> values_of(const HostField& field) {
    return with_real_cells(
        field, [](auto cells) { return std::vector<double>(cells.begin(), cells.end()); });
}

// Writes into a field of bytes the number of the vent in each cell that has one, from 1 on in the
// order of the emission rates. Every vent must have rates.
inline void number_vents(HostField& field, const std::vector<VentCell>& vents,
                         const EmissionRates& rates) {
    const auto numbers = field.cells<std::uint8_t>();
    for (const VentCell& vent : vents)
        numbers[static_cast<std::size_t>(vent.row) * field.size().columns + vent.column] =
            static_cast<std::uint8_t>(rates.index_of(vent.id) + 1);
}

}  // namespace camber::lava
