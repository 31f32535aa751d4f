// How a board's rows are divided among places.
#pragma once

#include <span>
#include <vector>

#include "harness/base/rows.hpp"

namespace camber {

// One stripe of whole rows for each weight, in order, as near to its share as whole rows allow:
// place d begins at row floor((2 R P_d + W) / 2 W), where P_d is the weight of those before it and
// W that of all. Weights are positive; a stripe may be empty where there are fewer rows than
// places.
std::vector<Rows> stripes(int rows, std::span<const int> weights);
// The same weight for all.
std::vector<Rows> stripes(int rows, int places);

}  // namespace camber
