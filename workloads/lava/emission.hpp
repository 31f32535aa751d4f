// Vents and their emission rates.
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
        std::vector<double> rates;  // m^3/s, one per slot; none after the last
        friend bool operator==(const Vent&, const Vent&) = default;
    };
    double slot_length = 86400;  // s
    std::vector<Vent> vents;     // ids differ

    // Slots of the vent that has most.
    std::size_t slots() const;
    // The vent of that id, counted from 0. Throws std::logic_error where there is none.
    std::size_t index_of(int id) const;
    // Rate of a vent, counted from 0, at a time not before 0, m^3/s.
    double at(std::size_t vent, double time) const;
    friend bool operator==(const EmissionRates&, const EmissionRates&) = default;
};

// Text of words: `[TIME]` slot length, then for each vent `[VENT_ID]` id `[EMISSION_RATE]` rates,
// and `[END]`. Throws Error(usage) that says file, line and column.
EmissionRates read_emission_rates(std::string_view text, const std::string& name);
void write_emission_rates(std::ostream& out, const EmissionRates& rates);

// A cell that a vent opens in.
struct VentCell {
    int id = 0;
    int row = 0;
    int column = 0;
    friend bool operator==(const VentCell&, const VentCell&) = default;
};

// Throws Error(usage) where a vent has no rates, rates no vent, or vents are too many for a byte.
void check_vents(const std::vector<VentCell>& vents, const EmissionRates& rates);

// The cells of a raster that are not 0, row by row; those equal to `no_data` count as 0. Throws
// Error(usage), which says `name`, for what is no whole number from 0 to 2^31 - 1.
std::vector<VentCell> vents_in(const std::vector<double>& raster, Size size, double no_data,
                               const std::string& name);
// A list: lines of id, row and column, both counted from 0 in the north-west.
std::vector<VentCell> read_vent_list(std::string_view text, const std::string& name, Size size);

}  // namespace camber::lava
