// How the lanes of one warp lie in memory, in words.
#pragma once

#include <cstdint>
#include <string>

#include "harness/base/warp_request.hpp"

namespace camber {

// A phrase about the active lanes' addresses, for "because ...": "lanes of a warp are a row apart",
// "the warp's lanes are consecutive, but start 4 bytes past the beginning of a sector", "1 of the
// warp's 32 lanes is active", ... It says only what the addresses show. `row_bytes`: the distance
// of vertically adjacent cells; 0 where it is not known. "" without active lanes.
std::string describe_pattern(const WarpRequest& request, std::int64_t row_bytes = 0);

}  // namespace camber
