// Tables of powers for tests, read directly without copies, and test arguments for powers.
#pragma once

#include <cstdint>

#include "variants/lava/sciara_fv2/power_table.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber::sciara_fv2 {

struct TablesInPlace {
    double at(PowerRow row, int i) const { return power_table[static_cast<int>(row)][i]; }
};
inline constexpr TablesInPlace tables;

// Number between low and high, the same for the same seed and i.
inline double number(std::uint64_t seed, std::uint64_t i, double low, double high) {
    return low + (high - low) * uniform(seed, i);
}

}  // namespace camber::sciara_fv2
