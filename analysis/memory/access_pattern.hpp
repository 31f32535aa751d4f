// Describes in words which addresses the lanes of one warp access.
#pragma once

#include <cstdint>
#include <string>

#include "harness/base/kernel_launch.hpp"

namespace camber {

// Phrase about the active lanes' addresses, to follow a colon: "stride of one row", "contiguous,
// but misaligned by 4 bytes", "only 1 of 32 lanes is active", ... `row_bytes`: distance between
// vertically adjacent cells; 0 if unknown. Empty if no lane is active.
std::string describe_pattern(const WarpRequest& request, std::int64_t row_bytes = 0);

}  // namespace camber
