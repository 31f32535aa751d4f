// Takes the timed samples of a case.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/environment/nvml.hpp"
#include "harness/registry/execution.hpp"
#include "harness/run/study.hpp"

namespace camber {

struct Samples {
    std::vector<double> ns;  // each the time of generations_per_sample generations
    int generations_per_sample = 0;
    std::string stopped_by;
    // The device just before the first sample, at times between samples, and just after the last
    // one, where NVML tells.
    std::optional<DeviceState> before;
    std::vector<DeviceState> during;
    std::optional<DeviceState> after;
};

// Enqueues one launch after another the way that `conditions` ask for.
class Launcher {
  public:
    // `step`: the variant's generations per launch.
    Launcher(Queue& queue, Execution& execution, int step, const Conditions& conditions)
        : queue_(queue), execution_(execution), step_(step), conditions_(conditions) {}

    // Advances by `generations`, all launches in a row. A graph is recorded when the number
    // changes.
    void advance(int generations);
    // Records what advance(generations) would need, so that it only has to be replayed.
    void prepare(int generations);
    // `launches` launches, before each of which the caches are emptied where the conditions ask for
    // it.
    void advance_separately(int launches);

    int step() const { return step_; }
    const Conditions& conditions() const { return conditions_; }

  private:
    Queue& queue_;
    Execution& execution_;
    int step_;
    Conditions conditions_;
    std::unique_ptr<Recording> recording_;
    int recorded_generations_ = 0;
};

class Sampler {
  public:
    using DeviceReading = std::function<std::optional<DeviceState>()>;

    Sampler(Queue& queue, const Study& study, DeviceReading device_state);

    // What two events measure with nothing in between. It is part of every sample; hot samples are
    // long enough that it stays under half a percent, cold ones hold a single launch.
    double event_pair_seconds() const { return event_pair_seconds_; }

    // Hot samples are batches of launches; `generations` of them, or, for 0, as many as fill a
    // sample. Cold samples are single launches.
    Samples take(Launcher& launcher, int generations = 0) const;
    // Samples of all the study's generations, before each of which `restart` makes the state the
    // initial one; that is not timed.
    Samples take_from_start(Launcher& launcher, const std::function<void()>& restart) const;

  private:
    int calibrate(Launcher& launcher) const;
    // Until there are enough; `sample` returns seconds.
    void collect(Samples& samples, const std::function<double()>& sample) const;

    Queue& queue_;
    const Study& study_;
    DeviceReading device_state_;
    double event_pair_seconds_ = 0;
};

}  // namespace camber
