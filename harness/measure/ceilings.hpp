// Ceilings of a device, measured or read from a cache, and the run context in a results file:
// machine, program, command line.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/files.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/record/ceilings.hpp"
#include "harness/record/context.hpp"

namespace camber {

// Everything the device can do at most, as far as camber's kernels can run into it: measured, with
// working sets from far inside L2 to far outside.

// All but copy_bytes_per_second. Each figure is a median of samples of 1 ms and more. `queue` must
// be of the cuda backend and work on `device`. Throws Error(wrong_result) where the device copies
// or computes wrongly. Where work is to end, what was measured until then is returned.
Ceilings measure_ceiling_suite(Queue& queue, const DeviceInfo& device, int samples_per_figure = 11);

// The device's own limits, measured by the run that quotes them.

// The runtime's copies between two buffers of up to 1 GiB each, and the whole suite
// (harness/measure/ceilings.hpp), in a few seconds. `device`: the queue's, nullptr on the
// host's backends, where application bandwidth is not compared with anything and nothing is
// measured. Throws Error(wrong_result) where the device copies or computes wrongly.
Ceilings measure_ceilings(Queue& queue, const DeviceInfo* device);

// Limits of devices that were measured before.

// Keeps the limits of a card under its driver.
class CeilingsCache {
  public:
    // Keeps nothing where the driver does not tell the card's UUID.
    CeilingsCache(const DeviceInfo& device, CacheFolder folder);
    CeilingsCache(const std::string& uuid, const std::string& driver, CacheFolder folder);

    // nullopt: not measured yet, or not to be read.
    std::optional<Ceilings> read() const;
    void write(const Ceilings& ceilings) const;

  private:
    CacheFolder folder_;
    std::string name_;  // "": none
};

// The limits that are kept of this card and its driver, or, where there are none or `fresh` ones
// are wanted, what `measure` returns, which is then kept for the next run.
Ceilings limits_of(const DeviceInfo& device, bool fresh, const std::function<Ceilings()>& measure);

// The `context` of a run: the machine, the program and how it was called.

// `device`: the one the run uses, nullptr on the host's backends. Asks NVML for what the runtime
// does not tell of it.
results::Context run_context(const std::vector<std::string>& command, const DeviceInfo* device,
                             const Ceilings& ceilings);

}  // namespace camber
