// What CUDA devices did and when, and the host's calls that led to it, for timelines.
#pragma once

#include <functional>
#include <memory>

#include "harness/machine/queue/span_log.hpp"

namespace camber::counters {

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

}  // namespace camber::counters
