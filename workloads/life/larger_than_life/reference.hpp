// The plain reference of Larger than Life: every cell of the square is added, first those of a
// column, then the columns. Sums are whole numbers, so the order does not matter.
#pragma once

#include <cstdint>
#include <span>

#include "harness/base/state.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/life/larger_than_life/rule.hpp"

namespace camber {

// One generation of a dense board, row by row.
void larger_than_life_generation(std::span<const std::uint8_t> from, std::span<std::uint8_t> to,
                                 Size size, const GenerationContext& context);

}  // namespace camber
