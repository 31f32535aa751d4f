// Vents, the cells that they open in, and their emission rates, with readers of the public text
// formats.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/state.hpp"

namespace camber::lava {

// Emission rates, constant within time slots of equal length.
struct EmissionRates {
    struct Vent {
        int id = 0;
        std::vector<double> rates;  // m^3/s, one per slot; 0 after the last slot
        friend bool operator==(const Vent&, const Vent&) = default;
    };
    double slot_length = 86400;  // s
    std::vector<Vent> vents;     // with distinct ids

    // Number of slots of the vent that has most.
    std::size_t slots() const;
    // Index of the vent with this id. Throws std::logic_error if there is none.
    std::size_t index_of(int id) const;
    // Rate of the vent with this index at `time` >= 0, m^3/s.
    double at(std::size_t vent, double time) const;
    friend bool operator==(const EmissionRates&, const EmissionRates&) = default;
};

// Parses `[TIME]` slot length, for each vent `[VENT_ID]` id `[EMISSION_RATE]` rates, and `[END]`.
// Throws Error(usage) with file, line and column.
EmissionRates read_emission_rates(std::string_view text, const std::string& name);
void write_emission_rates(std::ostream& out, const EmissionRates& rates);

// Cell in which a vent opens.
struct VentCell {
    int id = 0;
    int row = 0;
    int column = 0;
    friend bool operator==(const VentCell&, const VentCell&) = default;
};

// Throws Error(usage) if a vent has no rates, if rates belong to no vent, or if there are more
// vents than a byte can number.
void check_vents(const std::vector<VentCell>& vents, const EmissionRates& rates);

// Returns the nonzero cells of a raster as vents, row by row; `no_data` counts as 0. Throws
// Error(usage), which mentions `name`, for a value that is no integer from 0 to 2^31 - 1.
std::vector<VentCell> vents_in(const std::vector<double>& raster, Size size, double no_data,
                               const std::string& name);
// Parses lines of id, row and column; both are counted from 0 in the north-west.
std::vector<VentCell> read_vent_list(std::string_view text, const std::string& name, Size size);

}  // namespace camber::lava
