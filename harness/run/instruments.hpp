// What measures besides events: CUPTI's counters and the device's own clock.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/counters/kernel_clock.hpp"
#include "harness/counters/range_profiler.hpp"
#include "harness/run/study.hpp"

namespace camber {

// Absent instruments are done without.
struct Instruments {
    std::unique_ptr<counters::CounterReader> counters;
    // Of variants without textures, where leaving the texture unit's counters out saves passes.
    std::unique_ptr<counters::CounterReader> counters_without_textures;
    // Times kernels, and tells by their symbols which ones a launch has.
    std::unique_ptr<counters::KernelClock> kernel_clock;
    bool time_kernels = true;  // false: the clock is there for the symbols only
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
// does not exist. The device's queue must be open.
Instruments open_instruments(const Study& study);

// What a person reads about Instruments::failures: one sentence for each cause.
std::vector<std::string> describe_failures(const std::map<std::string, std::string>& failures);

}  // namespace camber
