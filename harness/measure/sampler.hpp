// Timed runs of a case: samples, runs from the start interval by interval with active cells, and
// transfers and saving as in a whole program.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/counters/activity_trace.hpp"
#include "harness/machine/environment/nvml.hpp"
#include "harness/machine/queue/queue.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/context.hpp"
#include "harness/registry/execution.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Timed samples of a case.
struct Sampled {
    std::vector<double> ns;  // time of generations_per_sample generations each
    int generations_per_sample = 0;
    std::string stopped_by;
    // Device state just before the first sample, between samples, and just after the last sample,
    // if NVML reports it.
    std::optional<DeviceState> before;
    std::vector<DeviceState> during;
    std::optional<DeviceState> after;
};

// Maximum number of launches in a recording. As a CUDA graph, more launches take longer to
// instantiate than they save. A launch consists of one or several kernels per generation.
inline constexpr int most_recorded_launches = 3'996;

// Enqueues consecutive launches as `conditions` request. If they are submitted as recordings,
// longer work consists of several recordings, each for its own range of generations. One recording
// cannot replace another, because a launch's arguments may depend on its generation (the lava that
// vents emit, the remaining rain), and so may the set of launches (lists that are sorted every few
// steps).
class Launcher {
  public:
    // `step`: generations per launch of the variant.
    Launcher(Queue& queue, Execution& execution, int step, const Conditions& conditions,
             int most_recorded = most_recorded_launches)
        : queue_(queue),
          execution_(execution),
          step_(step),
          conditions_(conditions),
          most_recorded_(most_recorded) {}

    // Advances by `generations` in consecutive launches, which are recorded whenever the number of
    // generations changes.
    void advance(int generations);
    // Records the launches of advance(generations), so that it only replays them. Recording
    // advances the execution's generation counter although nothing ran, so download() is correct
    // only after one replay. After an upload() the launches are recorded again.
    void prepare(int generations);
    // Same as advance() for work that runs only once: no recording is retained.
    void advance_once(int generations);
    // Same as advance_once(), timed by `time`, which returns seconds. Recording is not timed. Only
    // for workloads whose launches do not depend on the generation: one recording is replayed again
    // and again.
    double time_long(int generations,
                     const std::function<double(const std::function<void()>& work)>& time);
    // Runs `launches` separate launches; the caches are flushed before each if the conditions
    // request it.
    void advance_separately(int launches);

    int step() const { return step_; }
    const Conditions& conditions() const { return conditions_; }

  private:
    bool records() const { return conditions_.submission == Submission::graph; }
    // Calls f(recording) for each range of generations, in order, as soon as it is recorded.
    template <class F>
    void record(int generations, const F& f);

    Queue& queue_;
    Execution& execution_;
    int step_;
    Conditions conditions_;
    int most_recorded_;
    std::vector<std::unique_ptr<Recording>> recordings_;  // in order of generations
    int recorded_generations_ = 0;                        // total of all recordings
};

class Sampler {
  public:
    using DeviceReading = std::function<std::optional<DeviceState>()>;

    Sampler(Queue& queue, const Study& study, DeviceReading device_state);

    // Time that two events measure with no work in between. Every sample includes it. In hot
    // samples it is less than 0.5 % of the sample; a cold sample is a single launch.
    double event_pair_seconds() const { return event_pair_seconds_; }

    // Takes samples. Hot samples are batches of launches: `generations` generations or, for 0, as
    // many as fill a sample, in whole multiples of `period`. Cold samples are single launches.
    Sampled take(Launcher& launcher, int generations = 0, int period = 1) const;
    // Takes samples of all the study's generations. Before each, `restart` restores the initial
    // state; that is not timed.
    Sampled take_from_start(Launcher& launcher, const std::function<void()>& restart) const;

  private:
    int calibrate(Launcher& launcher, int period) const;
    // Seconds that the work enqueued by `enqueue` takes; the maximum over all ranks if ranks work
    // together.
    double time(const std::function<void()>& enqueue) const;
    double slowest(double seconds) const { return ranks_ ? ranks_->largest(seconds) : seconds; }
    // Takes samples until the stopping rule is satisfied; `sample` returns seconds.
    void collect(Sampled& samples, const std::function<double()>& sample) const;

    Queue& queue_;
    const Study& study_;
    DeviceReading device_state_;
    Communicator* ranks_;
    double event_pair_seconds_ = 0;
};

// Active cells per interval.

// Bounds of `intervals` intervals of a run of `generations`: intervals + 1 numbers, of which the
// first is 0 and each except the last is a multiple of `step`. Empty intervals are omitted.
std::vector<int> interval_bounds(int generations, int intervals, int step = 1);

// Follows the reference of a lava workload through its generations; does nothing for other
// workloads.
class ActivityLog {
  public:
    static constexpr int most_boxes = 4;

    // 0 intervals: records nothing.
    ActivityLog(const Workload& workload, int generations, int intervals);

    // Must be called with every state, including the initial one.
    void enter(int generations, const State& state);

    const std::vector<results::Activity>& rows() const { return rows_; }

  private:
    std::vector<int> bounds_;
    std::vector<results::Activity> rows_;
};

// Cells with lava in a state of a lava workload, and the cells of the boxes and the list around them.
results::Activity activity_of(int generations, const State& state);

// Sums the times of kernels by kernel name, per generation: the variant's own names for `kernels`,
// "library" for a library's kernels.
std::vector<results::IntervalKernel> kernels_per_generation(
    const std::vector<counters::KernelTime>& times, const std::vector<results::Kernel>& kernels,
    int generations);

// Times a run from the start in intervals.

// Times each interval of as many runs as the study's time budget permits, but at least three. If
// `clock` is given, one more run has its kernels stamped by the clock, which may throw. `restart`
// restores the initial state; it is not timed. `step`: generations per launch; `kernels`: the
// variant's own kernels.
std::vector<results::Interval> time_intervals(Queue& queue, Execution& execution,
                                              const Study& study, int step,
                                              const std::function<void()>& restart,
                                              const std::vector<results::Kernel>& kernels,
                                              counters::KernelClock* clock);

// Work of a whole program besides its generations: loading, upload, download and saving.

// Measures one upload of the state and one download into `into`, a state of the same form, in
// seconds. Afterwards the execution contains the uploaded state.
results::ProgramTime transfer_time(Execution& execution, Queue& queue, const State& initial,
                                   State& into);

// Seconds to write the state in the workload's own format into a temporary folder; nullopt if that
// fails.
std::optional<double> saving_time(const Study& study, const State& state);

}  // namespace camber
