// Takes the timed samples of a case.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/environment/nvml.hpp"
#include "harness/measure/study.hpp"
#include "harness/registry/execution.hpp"

namespace camber {

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

}  // namespace camber
