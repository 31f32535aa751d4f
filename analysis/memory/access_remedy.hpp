// Names the usual remedy for an access that moves unused bytes or has bank conflicts.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/memory/architecture.hpp"
#include "harness/base/kernel_launch.hpp"

namespace camber {

// Remedy as an imperative phrase: "pad the row by one element". Empty if the access wastes nothing.
// Padding is tried on the addresses, so that the suggested amount removes all bank conflicts.
// `row_bytes`: distance between vertically adjacent cells; 0 if unknown.
std::string describe_remedy(const WarpRequest& request, RuleSet rules, std::int64_t row_bytes = 0);

}  // namespace camber
