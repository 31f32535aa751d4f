// Instruments beside CUDA events: hardware counters, the device clock that times single kernels,
// and the wall clock that accounts for the time of a session.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/counters/activity_trace.hpp"
#include "harness/machine/counters/range_profiler.hpp"
#include "harness/measure/case_result.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/context.hpp"

namespace camber {

// Instruments in addition to events: CUPTI's counters and the device's own clock.

// Key in Instruments::failures for timelines that could not be recorded.
inline constexpr const char* timeline_failure = "the timeline";

// Absent instruments are null; measurement continues without them.
struct Instruments {
    std::unique_ptr<counters::CounterReader> counters;
    // Counters for variants without textures: omitting the texture unit's counters saves passes.
    std::unique_ptr<counters::CounterReader> counters_without_textures;
    // Times kernels, and reports the symbols of a launch's kernels.
    std::unique_ptr<counters::KernelClock> kernel_clock;
    // Opens the counters, and the clock if graphs are timed. Afterwards each graph kernel takes at
    // least 0.1 us longer (results/experiments/profiled_graphs.txt), so it must be called after the
    // last timing. Empty if they are already open, or not wanted.
    std::function<void(Instruments& instruments)> open_late;
    // Records device activity, if a timeline is requested or if several devices compute.
    std::unique_ptr<counters::ActivityTrace> activity_trace;
    bool time_kernels = true;  // false: the clock only reports symbols
    bool clock_has_seen_a_kernel = false;
    // Counter times in nanoseconds of the `kernels` kernels that `work` launches. They correct the
    // kernel clock.
    std::function<std::vector<double>(std::size_t kernels, const std::function<void()>& work)>
        kernel_durations;
    // Releases the device's counters until they are read again, because holding them may slow down
    // timed work.
    std::function<void()> release;
    // Reason why an instrument is unavailable, by the quantity that is missing without it
    // ("counters").
    std::map<std::string, std::string> failures;
};

// Opens the instruments that a study requests, if available. Throws Error for a metric that does
// not exist, and if a requested timeline cannot be recorded. The device's queue must be open.
Instruments open_instruments(const Study& study);

// Describes Instruments::failures for the user: one sentence for each cause.
std::vector<std::string> describe_failures(const std::map<std::string, std::string>& failures);

// Accounts for the wall time of a session.

// Wall clock of one thread. Time is attributed to one part at once: the part of the innermost span.
class WallClock {
  public:
    using Part = double results::WallTime::*;

    // During its lifetime, time is attributed to `part`, and afterwards to the previous part.
    class Span {
      public:
        Span(WallClock& clock, Part part) : clock_(clock), before_(clock.part_) {
            clock_.turn_to(part);
        }
        ~Span() { clock_.turn_to(before_); }
        Span(const Span&) = delete;
        Span& operator=(const Span&) = delete;

      private:
        WallClock& clock_;
        Part before_;
    };

    // Attributes time outside of spans to `part` from now on. The initial part is `opening`.
    void turn_to(Part part) {
        const Clock::time_point now = Clock::now();
        spent_.*part_ += seconds(turned_, now);
        turned_ = now;
        part_ = part;
    }

    // Times so far. The total is measured separately.
    results::WallTime read() const {
        results::WallTime read = spent_;
        const Clock::time_point now = Clock::now();
        read.*part_ += seconds(turned_, now);
        read.total = seconds(start_, now);
        return read;
    }

  private:
    using Clock = std::chrono::steady_clock;

    static double seconds(Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double>(to - from).count();
    }

    Clock::time_point start_ = Clock::now();
    Clock::time_point turned_ = start_;
    Part part_ = &results::WallTime::opening;
    results::WallTime spent_;
};

// Times of single kernels under the conditions of a case.

// True if a symbol is one of CUB's kernels, which variants call by Queue::minimum and
// Queue::select.
bool is_library_kernel(const std::string& symbol);

class KernelTimer {
  public:
    // Both arguments must outlive the timer. The instruments must contain a kernel clock; if it
    // fails, it is closed.
    KernelTimer(Queue& queue, Instruments& instruments)
        : queue_(queue), instruments_(instruments) {}

    // Fills kernel_times of a case that has been timed and whose kernels are available. `seed`: for
    // the confidence intervals. Separate from the samples, because stamping every kernel takes time
    // between kernels. Stores the stamps in the result if correct() will use them.
    void time(Execution& execution, CaseResult& result, std::uint64_t seed);

    // Subtracts the clock's overhead from the kernel times, using the counter from which Nsight
    // Compute takes its durations. If that counter is unavailable, the times stay uncorrected. Must
    // run apart from all timing.
    void correct(Execution& execution, CaseResult& result, std::uint64_t seed);

  private:
    void note_whether_seen(const std::vector<counters::KernelTime>& times);
    bool correctable(const CaseResult& result) const;

    Queue& queue_;
    Instruments& instruments_;
};

}  // namespace camber
