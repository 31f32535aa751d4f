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

// What measures besides events: CUPTI's counters and the device's own clock.

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

// Tells what the time of a session goes to.

// Of one thread. Time goes to one part at once: to that of the innermost span.
class WallClock {
  public:
    using Part = double results::WallTime::*;

    // While it lives, time goes to `part`; then to what it went to before.
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

    // From now on, outside of spans. It begins with `opening`.
    void turn_to(Part part) {
        const Clock::time_point now = Clock::now();
        spent_.*part_ += seconds(turned_, now);
        turned_ = now;
        part_ = part;
    }

    // So far. The total is measured by itself.
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

// Each kernel's own time under the conditions of a case.

// Whether a symbol is one of CUB's kernels, which variants call by Queue::minimum and
// Queue::select.
bool is_library_kernel(const std::string& symbol);

class KernelTimer {
  public:
    // Both outlive the timer. The instruments need a kernel clock; one that fails is put away.
    KernelTimer(Queue& queue, Instruments& instruments)
        : queue_(queue), instruments_(instruments) {}

    // Fills kernel_times of a case that has been timed and has its kernels. `seed`: of the
    // statistics' intervals. Apart from the samples, because stamping every kernel costs time
    // between them. Leaves the stamps in the result where correct() would use them.
    void time(Execution& execution, CaseResult& result, std::uint64_t seed);

    // Takes from the kernel times what the clock adds to them, by the counter from which Nsight
    // Compute takes its times. Where that cannot be told they stay as stamped. Apart from all that
    // is timed.
    void correct(Execution& execution, CaseResult& result, std::uint64_t seed);

  private:
    void note_whether_seen(const std::vector<counters::KernelTime>& times);
    bool correctable(const CaseResult& result) const;

    Queue& queue_;
    Instruments& instruments_;
};

}  // namespace camber
