// Descriptions of one warp's memory access in words: the pattern of its addresses, and the usual
// remedy if the access moves unused bytes or has bank conflicts.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/memory/architecture.hpp"
#include "harness/base/kernel_launch.hpp"

namespace camber {

// Describes in words which addresses the lanes of one warp access.

// Phrase about the active lanes' addresses, to follow a colon: "stride of one row", "contiguous,
// but misaligned by 4 bytes", "only 1 of 32 lanes is active", ... `row_bytes`: distance between
// vertically adjacent cells; 0 if unknown. Empty if no lane is active.
std::string describe_pattern(const WarpRequest& request, std::int64_t row_bytes = 0);

// Names the usual remedy for an access that moves unused bytes or has bank conflicts.

// Remedy as an imperative phrase: "pad the row by one element". Empty if the access wastes nothing.
// Padding is tried on the addresses, so that the suggested amount removes all bank conflicts.
// `row_bytes`: distance between vertically adjacent cells; 0 if unknown.
std::string describe_remedy(const WarpRequest& request, RuleSet rules, std::int64_t row_bytes = 0);

}  // namespace camber
