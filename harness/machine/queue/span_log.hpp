// Timeline collection while work runs: a log of spans from queues and CUPTI, and NVTX ranges by
// which profilers find one variant's samples.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "harness/base/timeline.hpp"

namespace camber {

// Collects a timeline while its work runs. Queues and NVTX ranges report host operations to it;
// CUPTI adds device operations (harness/machine/counters/activity_trace.hpp).

// Identifies a queue to a profiler.
struct NativeStream {
    const void* handle = nullptr;  // nullptr: none
    int device = 0;
};

// Thread-safe.
class SpanLog {
  public:
    using Clock = std::function<std::int64_t()>;  // in ns

    explicit SpanLog(Clock clock = steady_ns);
    SpanLog(const SpanLog&) = delete;
    SpanLog& operator=(const SpanLog&) = delete;

    std::int64_t now() const { return clock_(); }
    static std::int64_t steady_ns();

    void name_place(int place, std::string name);
    // Returns the lane with this name, which is added if it does not exist. Devices with smaller
    // numbers are added, too.
    int lane(int place, const std::string& name, bool host = false, NativeStream stream = {});
    int host_lane(int place = 0) { return lane(place, "host", true); }
    struct KnownStream {
        NativeStream stream;
        int lane = 0;
        int place = 0;
    };
    // Native streams of the lanes that have one.
    std::vector<KnownStream> streams() const;
    int places() const;

    // `span`: with times of now().
    void add(Span span);
    // Returns all spans that began at `since` or later, in order, with times relative to the first;
    // clears the log.
    Timeline take(std::int64_t since);

  private:
    Clock clock_;
    mutable std::mutex mutex_;
    Timeline timeline_;
    std::vector<KnownStream> streams_;
};

// Records a span from its construction to its destruction, if there is a log.
class SpanTimer {
  public:
    SpanTimer() = default;
    SpanTimer(SpanLog* log, int lane, SpanKind kind, std::string name, std::int64_t bytes = 0);
    ~SpanTimer();
    SpanTimer(const SpanTimer&) = delete;
    SpanTimer& operator=(const SpanTimer&) = delete;

  private:
    SpanLog* log_ = nullptr;
    Span span_;
};

// NVTX ranges, by which profilers find one variant's samples: one domain `camber`, with a range per
// case, inside it one per phase, and inside that one per step, if a generation has several steps.
// Without the NVTX headers (CUDA Toolkit), or without an attached profiler, a range does nothing
// and costs almost nothing.

// A variant's name in NVTX: slashes become dots, because slashes separate nested ranges in
// profilers' filters.
std::string marker_name(const std::string& variant);

// Open from construction to destruction, on the calling thread; nested ranges close in reverse
// order.
class MarkedRange {
  public:
    // `payload`: the number of a sample, or of a step's generation, counted from 0.
    explicit MarkedRange(const std::string& name, std::int64_t payload = 0);
    ~MarkedRange();
    MarkedRange(const MarkedRange&) = delete;
    MarkedRange& operator=(const MarkedRange&) = delete;

  private:
    SpanTimer span_;
};

// During its lifetime, ranges are also logged, on the host lane of device 0. Only one may exist at
// a time.
class MarkedRangesIn {
  public:
    explicit MarkedRangesIn(SpanLog& log);
    ~MarkedRangesIn();
    MarkedRangesIn(const MarkedRangesIn&) = delete;
    MarkedRangesIn& operator=(const MarkedRangesIn&) = delete;
};

}  // namespace camber
