// Timeline of a case, recorded in a separate pass: the launches it shows, the alignment of the
// clocks of several ranks, and the transfer and wait times of a group of devices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/timeline/quantities.hpp"
#include "harness/base/timeline.hpp"
#include "harness/groups/communicator.hpp"
#include "harness/machine/counters/activity_trace.hpp"
#include "harness/machine/queue/queue.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/case_record.hpp"
#include "harness/registry/execution.hpp"

namespace camber {

// Records the timeline of a case: a pass of its own, apart from what is timed and what is counted.

// Launches of a case that a timeline shows.
inline constexpr int timeline_launches = 12;

// Which launches of a case its timeline shows: some like those that are timed.
struct LaunchesShown {
    const Study& study;
    int step;  // generations per launch
    Conditions conditions;

    // Of a run from the start the last ones: the first ones are seldom like the others.
    int shown() const {
        return study.from_start ? std::min(timeline_launches, study.generations / step)
                                : timeline_launches;
    }
    int generations() const { return shown() * step; }
};

// What the launches did on the queue. `place`: the queue's name there. `restart` brings the
// execution to its start; `meet`: done as soon as the timeline begins, and shown. Throws as the
// other does.
Timeline record_timeline(Queue& queue, Execution& execution, const std::string& place,
                         const LaunchesShown& launches, counters::ActivityTrace* trace,
                         const std::function<void()>& restart,
                         const std::function<void()>& meet = {});

// What `work` did on the queue, and the ranges in it. `place`: the queue's name there. `before`:
// done just before it, and not shown, so that first calls of the profiler are over. Both must
// return when their work has ended. `trace`: of a device; nullptr on the host. Throws
// Error(unavailable) where the device's records cannot be had.
Timeline record_timeline(Queue& queue, const std::string& place, counters::ActivityTrace* trace,
                         const std::function<void()>& before, const std::function<void()>& work);

// Gives kernels that have their symbols for names the names of `kernels`, and others, as of
// libraries, the name of their function without namespaces and template arguments.
void name_kernels(Timeline& timeline, const std::vector<KernelFacts>& kernels);

// One timeline of all ranks, whose clocks have nothing in common: barriers align them.

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

// What a timeline says of the places that compute a board together.

// Fills in a group's exposed transfers, waits and imbalance. The timeline has `generations` of
// them. `ranks`: each of which calls this with the timeline of its own place; nullptr: no others.
void describe_group(results::GroupRecord& group, const timeline::Quantities& quantities,
                    int generations, Communicator* ranks);

// Fills in the rows that the places of an execution have now, where rows change their place, and
// how those of a box were divided until now.
void note_rows(results::GroupRecord& group, const Execution& execution);

}  // namespace camber
