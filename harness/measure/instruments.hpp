// What measures besides events: CUPTI's counters and the device's own clock.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/counters/activity_trace.hpp"
#include "harness/machine/counters/kernel_clock.hpp"
#include "harness/machine/counters/range_profiler.hpp"
#include "harness/measure/study.hpp"

namespace camber {

// The key in Instruments::failures of timelines that could not be recorded.
inline constexpr const char* timeline_failure = "the timeline";

// Absent instruments are done without.
struct Instruments {
    std::unique_ptr<counters::CounterReader> counters;
    // Of variants without textures, where leaving the texture unit's counters out saves passes.
    std::unique_ptr<counters::CounterReader> counters_without_textures;
    // Times kernels, and tells by their symbols which ones a launch has.
    std::unique_ptr<counters::KernelClock> kernel_clock;
    // Opens the counters and the clock, where graphs are timed: from then on each of their kernels
    // takes 0.1 us longer and more (results/experiments/profiled_graphs.txt). To be called when
    // nothing is left to be timed. Empty where they are open already, or not wanted.
    std::function<void(Instruments& instruments)> open_late;
    // Records what devices do, where a timeline is asked for or several places compute.
    std::unique_ptr<counters::ActivityTrace> activity_trace;
    bool time_kernels = true;  // false: the clock is there for the symbols only
    bool clock_has_seen_a_kernel = false;
    // Nanoseconds of each of so many kernels that the work launches, by a counter: the clock is
    // corrected by it.
    std::function<std::vector<double>(std::size_t kernels, const std::function<void()>& work)>
        kernel_durations;
    // Gives up the counters' hold on the device until they are read again: what is timed while it
    // lasts may be slower.
    std::function<void()> release;
    // Why an instrument could not be had, by what is missing because of it ("counters").
    std::map<std::string, std::string> failures;
};

// The instruments that a study asks for, as far as they can be had. Throws Error for a metric that
// does not exist, and where a timeline is asked for and cannot be recorded. The device's queue must
// be open.
Instruments open_instruments(const Study& study);

// What a person reads about Instruments::failures: one sentence for each cause.
std::vector<std::string> describe_failures(const std::map<std::string, std::string>& failures);

}  // namespace camber
