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

// Measured maximum rates of a device, as far as camber's kernels may be limited by them, with
// working sets from far below to far above the size of L2.

// Measures all ceilings except copy_bytes_per_second. Each figure is a median of samples of at
// least 1 ms. `queue` must be of the cuda backend and use `device`. Throws Error(wrong_result) if
// the device copies or computes wrongly. If the process is to end, returns the ceilings measured so
// far.
Ceilings measure_ceiling_suite(Queue& queue, const DeviceInfo& device, int samples_per_figure = 11);

// Ceilings measured by the run that reports them.

// Measures the runtime's copies between two buffers of up to 1 GiB each, and the whole suite, in a
// few seconds. `device`: the queue's device; nullptr on the host backends, where no ceilings are
// measured. Throws Error(wrong_result) if the device copies or computes wrongly.
Ceilings measure_ceilings(Queue& queue, const DeviceInfo* device);

// Cached ceilings of devices.

// Stores the ceilings of a GPU and its driver version in a cache folder.
class CeilingsCache {
  public:
    // Stores nothing if the driver does not report the GPU's UUID.
    CeilingsCache(const DeviceInfo& device, CacheFolder folder);
    CeilingsCache(const std::string& uuid, const std::string& driver, CacheFolder folder);

    // nullopt if the ceilings are not cached, or are unreadable.
    std::optional<Ceilings> read() const;
    void write(const Ceilings& ceilings) const;

  private:
    CacheFolder folder_;
    std::string name_;  // "": none
};

// Returns the cached ceilings of this GPU and driver. If there are none, or if `fresh` is set,
// calls `measure` and caches its result.
Ceilings limits_of(const DeviceInfo& device, bool fresh, const std::function<Ceilings()>& measure);

// Run context of a results file: the machine, the program and its command line.

// `device`: the run's device; nullptr on the host backends. NVML provides the properties that the
// runtime does not report.
results::Context run_context(const std::vector<std::string>& command, const DeviceInfo* device,
                             const Ceilings& ceilings);

}  // namespace camber
