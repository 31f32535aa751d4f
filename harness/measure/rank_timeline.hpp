// One timeline of all ranks, whose clocks have nothing in common: barriers align them.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/timeline.hpp"
#include "harness/groups/communicator.hpp"

namespace camber {

// When a rank came to some barriers and when it left them, in ns of its own timeline's clock.
struct BarrierTimes {
    struct Passage {
        std::int64_t entered = 0;
        std::int64_t left = 0;
    };
    std::vector<Passage> passages;
};

// By how much a rank's clock is ahead of another one's, and how far off that may be. No rank leaves
// a barrier before the last one has come to it: the lead lies between what two such sentences
// allow, and the middle is taken (Cristian 1989, "Probabilistic clock synchronization").
struct ClockLead {
    std::int64_t ns = 0;
    double residual_ns = 0;
};
ClockLead lead_of(const BarrierTimes& ahead, const BarrierTimes& base);

// The timelines of ranks as one, on the clock of the first; `barriers` of each. What one rank gives
// its place keeps its own numbers.
Timeline merged_timeline(std::vector<Timeline> timelines,
                         const std::vector<BarrierTimes>& barriers);

// Passes some barriers, which the timeline that is being recorded then has.
void pass_barriers(Communicator& ranks);
// Takes them out of it.
BarrierTimes take_barriers(Timeline& timeline);

// Called by all ranks, each with its own timeline, in which it has passed barriers; all get the
// whole.
Timeline gathered_timeline(Timeline own, Communicator& ranks);

}  // namespace camber
