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

// The same stripes, with borders that `block` rows divide, where that moves none by more than a
// hundredth of a stripe: kernels that find whole blocks need not test where the board ends.
std::vector<Rows> in_whole_blocks(std::vector<Rows> stripes, int block);

}  // namespace camber
