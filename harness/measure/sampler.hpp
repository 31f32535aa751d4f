// Timed runs of a case: samples, a run from the start interval by interval with its active cells,
// and transfers and saving as in a whole program.
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

// Takes the timed samples of a case.
struct Sampled {
    std::vector<double> ns;  // each the time of generations_per_sample generations
    int generations_per_sample = 0;
    std::string stopped_by;
    // The device just before the first sample, at times between samples, and just after the last
    // one, where NVML tells.
    std::optional<DeviceState> before;
    std::vector<DeviceState> during;
    std::optional<DeviceState> after;
};

// Launches of a recording at most: as a CUDA graph, more take longer to instantiate than they save.
// A launch has a kernel or several for each of its generations.
inline constexpr int most_recorded_launches = 3'996;

// Enqueues one launch after another the way that `conditions` ask for.
//
// Where that is as recordings, longer work is several of them, each of its own stretch of
// generations. None is replayed in the place of another, because what a launch is given may depend
// on its generation (the lava that vents emit, the rain that is left), as may the launches
// themselves (lists that are sorted every few steps).
class Launcher {
  public:
    // `step`: the variant's generations per launch.
    Launcher(Queue& queue, Execution& execution, int step, const Conditions& conditions,
             int most_recorded = most_recorded_launches)
        : queue_(queue),
          execution_(execution),
          step_(step),
          conditions_(conditions),
          most_recorded_(most_recorded) {}

    // Advances by `generations`, all launches in a row. They are recorded when the number changes.
    void advance(int generations);
    // Records what advance(generations) would need, so that it only has to be replayed. The
    // execution then takes itself for so much further: download() is right after one replay, and
    // after an upload() the recordings begin anew.
    void prepare(int generations);
    // As advance(), for work that comes once: no recording is kept.
    void advance_once(int generations);
    // `launches` launches, before each of which the caches are emptied where the conditions ask for
    // it.
    void advance_separately(int launches);

    int step() const { return step_; }
    const Conditions& conditions() const { return conditions_; }

  private:
    bool records() const { return conditions_.submission == Submission::graph; }
    // Calls f(recording) for all stretches in order, as soon as each is recorded.
    template <class F>
    void record(int generations, const F& f);

    Queue& queue_;
    Execution& execution_;
    int step_;
    Conditions conditions_;
    int most_recorded_;
    std::vector<std::unique_ptr<Recording>> recordings_;  // one after another
    int recorded_generations_ = 0;                        // of all of them
};

class Sampler {
  public:
    using DeviceReading = std::function<std::optional<DeviceState>()>;

    Sampler(Queue& queue, const Study& study, DeviceReading device_state);

    // What two events measure with nothing in between. It is part of every sample; hot samples are
    // long enough that it stays under half a percent, cold ones hold a single launch.
    double event_pair_seconds() const { return event_pair_seconds_; }

    // Hot samples are batches of launches; `generations` of them, or, for 0, as many as fill a
    // sample, in whole periods of so many generations. Cold samples are single launches.
    Sampled take(Launcher& launcher, int generations = 0, int period = 1) const;
    // Samples of all the study's generations, before each of which `restart` makes the state the
    // initial one; that is not timed.
    Sampled take_from_start(Launcher& launcher, const std::function<void()>& restart) const;

  private:
    int calibrate(Launcher& launcher, int period) const;
    // Seconds that `enqueue` takes; where ranks work together, those of the slowest.
    double time(const std::function<void()>& enqueue) const;
    double slowest(double seconds) const { return ranks_ ? ranks_->largest(seconds) : seconds; }
    // Until there are enough; `sample` returns seconds.
    void collect(Sampled& samples, const std::function<double()>& sample) const;

    Queue& queue_;
    const Study& study_;
    DeviceReading device_state_;
    Communicator* ranks_;
    double event_pair_seconds_ = 0;
};

// How many cells are at work, interval by interval.

// Where `intervals` of a run of `generations` begin and end: intervals + 1 numbers, the first 0,
// each but the last a multiple of `step`; fewer where intervals would be empty.
std::vector<int> interval_bounds(int generations, int intervals, int step = 1);

// Follows the reference of a model of lava through its generations; keeps nothing for others.
class ActivityLog {
  public:
    static constexpr int most_boxes = 4;

    // 0 intervals: nothing is kept.
    ActivityLog(const Workload& workload, int generations, int intervals);

    // Call it with every state, the initial one included.
    void enter(int generations, const State& state);

    const std::vector<results::Activity>& rows() const { return rows_; }

  private:
    std::vector<int> bounds_;
    std::vector<results::Activity> rows_;
};

// Times a run from the start in parts.

// As many runs as the study's budget of seconds has time for, three at least, each timed interval
// by interval; one more with the kernels stamped by `clock`, where there is one, which may throw.
// `restart` makes the state the initial one; it is not timed. `step`: the variant's generations per
// launch; `kernels`: the variant's own.
std::vector<results::Interval> time_intervals(Queue& queue, Execution& execution,
                                              const Study& study, int step,
                                              const std::function<void()>& restart,
                                              const std::vector<results::Kernel>& kernels,
                                              counters::KernelClock* clock);

// What a whole program does beside its generations: it loads, uploads, downloads and saves.

// Seconds of one upload of the state, and of one download into `into`, a state of the same form.
// The execution is left with the state uploaded.
results::ProgramTime transfer_time(Execution& execution, Queue& queue, const State& initial,
                                   State& into);

// Seconds of writing the state in the workload's own format, into a folder that is deleted again;
// absent where that fails.
std::optional<double> saving_time(const Study& study, const State& state);

}  // namespace camber
