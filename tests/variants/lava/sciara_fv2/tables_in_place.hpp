// The tables of powers as tests read them, where they lie, and numbers to try the powers on.
#pragma once

#include <cstdint>

#include "variants/lava/sciara_fv2/power_table.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber::sciara_fv2 {

struct TablesInPlace {
    double at(PowerRow row, int i) const { return power_table[static_cast<int>(row)][i]; }
};
inline constexpr TablesInPlace tables;

// Between low and high, the same for the same seed and i.
inline double number(std::uint64_t seed, std::uint64_t i, double low, double high) {
    return low + (high - low) * uniform(seed, i);
}

}  // namespace camber::sciara_fv2
