// Records the timeline of a case: a pass of its own, apart from what is timed and what is counted.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "harness/base/timeline.hpp"
#include "harness/machine/counters/activity_trace.hpp"
#include "harness/machine/queue/queue.hpp"
#include "harness/measure/study.hpp"

namespace camber {

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

}  // namespace camber
