// Boards on which kernels from files are checked for races.
#pragma once

#include <string>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/registry/shape.hpp"

namespace camber {

// The largest board of at most `most_cells` that leaves the same remainders as `size` when divided
// by each of the regions, and is no larger than it: blocks that divide one divide the other. `size`
// itself if it is small enough; the smallest such board if none is.
Size board_like(Size size, const std::vector<Region>& regions, std::int64_t most_cells);

// The checks of run.candidates after a run on `verified`: on that board, or one like it that the
// executor can take, and, for files that say overhang=yes, on one that blocks do not divide, or do
// if they do not divide the first. Prints which boards these are, and what outputs hold before a
// launch.
std::vector<RunOptions> checks_after(const RunOptions& run, Size verified,
                                     const std::vector<Region>& regions);

// Sizes for `camber check` of run.candidates if none is given; empty: the usual ones.
std::string sizes_to_check(const RunOptions& run);

}  // namespace camber
