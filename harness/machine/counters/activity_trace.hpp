// Timelines and kernel times from CUPTI's activity records: device work with the host calls that
// led to it, and each kernel's own time without launch gaps.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/queue/span_log.hpp"

namespace camber::counters {

// Records the activity of CUDA devices and the host calls that led to it, for timelines.
class ActivityTrace {
  public:
    virtual ~ActivityTrace() = default;
    // Current time of the clock of all records, also for the log to be filled.
    virtual std::int64_t now() const = 0;
    // Adds the activity of `work` to `log`; `work` must return after its device work has ended.
    // Work of streams with a lane in the log appears on that lane; other work on one lane per
    // stream. Kernels are named by their symbols. Throws Error(unavailable).
    virtual void record(SpanLog& log, const std::function<void()>& work) = 0;
};

// Opens CUPTI's activity records of all streams and devices. Throws Error(unavailable) with the
// cause if they are not available.
std::unique_ptr<ActivityTrace> open_activity_trace();

// Duration of each kernel as the device records it, without launch gaps, which times around a batch
// of launches include.
struct KernelTime {
    std::string symbol;  // symbol of the kernel's function, as in KernelFacts
    double ns = 0;       // from start to end on the device
};

class KernelClock {
  public:
    virtual ~KernelClock() = default;
    // Returns the kernels of `work` in start order; `work` must return after they have ended. Empty
    // if `work` only copies, or if another profiler receives the records. Throws
    // Error(unavailable).
    virtual std::vector<KernelTime> time(const std::function<void()>& work) = 0;
    // Like time(), for work that replays graphs.
    virtual std::vector<KernelTime> time_graphs(const std::function<void()>& work) {
        return time(work);
    }
};

// Opens CUPTI's activity records for kernel times. Throws Error(unavailable) with the cause if they
// are not available.
std::unique_ptr<KernelClock> open_kernel_clock();

}  // namespace camber::counters
