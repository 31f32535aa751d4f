// Timeline of a case, recorded in a separate pass, the alignment of the clocks of several ranks,
// and the transfer and wait times of a group of devices.
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

// Timeline pass: runs apart from timing and counting.

// Number of launches in a timeline.
inline constexpr int timeline_launches = 12;

// Launches of a case that its timeline shows; they are similar to the timed launches.
struct LaunchesShown {
    const Study& study;
    int step;  // generations per launch
    Conditions conditions;

    // For a run from the start, the last launches, because the first ones are seldom typical.
    int shown() const {
        return study.from_start ? std::min(timeline_launches, study.generations / step)
                                : timeline_launches;
    }
    int generations() const { return shown() * step; }
};

// Records the launches on the queue. `place`: name of the queue in the timeline. `restart` restores
// the execution's initial state. `meet` runs at the start of the timeline, which includes it.
// Throws the same errors as the overload below.
Timeline record_timeline(Queue& queue, Execution& execution, const std::string& place,
                         const LaunchesShown& launches, counters::ActivityTrace* trace,
                         const std::function<void()>& restart,
                         const std::function<void()>& meet = {});

// Records the operations of `work` on the queue, and the ranges in it. `place`: name of the queue
// in the timeline. `before` runs first and is not recorded, so that the profiler's initialization
// is complete. Both functions must wait for their work to end. `trace`: of a device; nullptr on the
// host. Throws Error(unavailable) if the device's records are unavailable.
Timeline record_timeline(Queue& queue, const std::string& place, counters::ActivityTrace* trace,
                         const std::function<void()>& before, const std::function<void()>& work);

// Replaces kernel symbols by the names in `kernels`. Other kernels, such as those of libraries, get
// their function name without namespaces and template arguments.
void name_kernels(Timeline& timeline, const std::vector<KernelFacts>& kernels);

// Merged timeline of all ranks. Barriers align their clocks, which are independent.

// Times at which a rank entered and left some barriers, in ns of its own timeline's clock.
struct BarrierTimes {
    struct Passage {
        std::int64_t entered = 0;
        std::int64_t left = 0;
    };
    std::vector<Passage> passages;
};

// Lead of one rank's clock over another's, with its uncertainty. No rank leaves a barrier before
// the last rank has entered it. These conditions bound the lead from both sides, and the midpoint
// is taken (Cristian 1989, "Probabilistic clock synchronization").
struct ClockLead {
    std::int64_t ns = 0;
    double residual_ns = 0;
};
ClockLead lead_of(const BarrierTimes& ahead, const BarrierTimes& base);

// Merges the timelines of all ranks, on the clock of the first; `barriers`: passages of each rank.
// Numbers that are unique within a rank stay distinct.
Timeline merged_timeline(std::vector<Timeline> timelines,
                         const std::vector<BarrierTimes>& barriers);

// Passes some barriers, which the timeline in progress records.
void pass_barriers(Communicator& ranks);
// Removes these barriers from a timeline and returns their times.
BarrierTimes take_barriers(Timeline& timeline);

// Collective call: each rank passes its own timeline, in which it has passed barriers, and each
// receives the merged timeline.
Timeline gathered_timeline(Timeline own, Communicator& ranks);

// Figures of a timeline for a group of devices that compute one board together.

// Sets a group's exposed transfers, waits and imbalance. `generations`: number of generations in
// the timeline. `ranks`: every rank calls this function with its own device's timeline; nullptr if
// there is only one process.
void describe_group(results::GroupRecord& group, const timeline::Quantities& quantities,
                    int generations, Communicator* ranks);

// Records the rows that each device of an execution currently has, if rows move between devices,
// and how the rows of a bounding box were divided so far.
void note_rows(results::GroupRecord& group, const Execution& execution);

}  // namespace camber
