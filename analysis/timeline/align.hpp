// Timelines of several processes as one.
#pragma once

#include <vector>

#include "harness/base/timeline.hpp"

namespace camber::timeline {

// The timelines of ranks, each on a clock of its own, on the clock of the first: at the end of a
// barrier all ranks go on, so the k-th barriers of all end at one time. Each clock is moved by the
// median of the distances; the largest distance that is left is the residual, to which those of the
// timelines themselves are added. Correlations stay apart. Throws std::invalid_argument where ranks
// have different numbers of barriers, or none.
Timeline aligned(const std::vector<Timeline>& ranks);

}  // namespace camber::timeline
