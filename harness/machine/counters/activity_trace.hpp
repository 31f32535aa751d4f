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

// What CUDA devices did and when, and the host's calls that led to it, for timelines.
class ActivityTrace {
  public:
    virtual ~ActivityTrace() = default;
    // The clock of all that it records: of a log that it is to fill.
    virtual std::int64_t now() const = 0;
    // Adds what `work` does, which must return when it has ended. Work of streams that the log
    // knows stands on their lanes; other work on a lane per stream of the device's place. Kernels
    // have their symbols for names. Throws Error(unavailable).
    virtual void record(SpanLog& log, const std::function<void()>& work) = 0;
};

// CUPTI's activity records of all streams and devices. Throws Error(unavailable) with the cause
// where they cannot be had.
std::unique_ptr<ActivityTrace> open_activity_trace();

// Each kernel's own time, as the device stamps it: without the gaps between launches, which times
// around a batch of launches contain.
struct KernelTime {
    std::string symbol;  // of the kernel's function, as KernelFacts has it
    double ns = 0;       // from its start to its end on the device
};

class KernelClock {
  public:
    virtual ~KernelClock() = default;
    // The kernels of `work`, which must return when they have ended, in order of their start. None
    // where it only copies, or where another profiler holds the records. Throws Error(unavailable).
    virtual std::vector<KernelTime> time(const std::function<void()>& work) = 0;
    // The same of work that replays graphs.
    virtual std::vector<KernelTime> time_graphs(const std::function<void()>& work) {
        return time(work);
    }
};

// CUPTI's activity records. Throws Error(unavailable) with the cause where they cannot be had.
std::unique_ptr<KernelClock> open_kernel_clock();

}  // namespace camber::counters
