// Collects a timeline while its work runs. Queues and NVTX ranges report to it what the host sees;
// CUPTI adds what devices did (harness/machine/counters/activity_trace.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "harness/base/timeline.hpp"

namespace camber {

// By which a profiler knows a queue.
struct NativeStream {
    const void* handle = nullptr;  // nullptr: none
    int device = 0;
};

// Threads may use it at the same time.
class SpanLog {
  public:
    using Clock = std::function<std::int64_t()>;  // in ns

    explicit SpanLog(Clock clock = steady_ns);
    SpanLog(const SpanLog&) = delete;
    SpanLog& operator=(const SpanLog&) = delete;

    std::int64_t now() const { return clock_(); }
    static std::int64_t steady_ns();

    void name_place(int place, std::string name);
    // The lane of that name; a new one where there is none yet. Places before it are made.
    int lane(int place, const std::string& name, bool host = false, NativeStream stream = {});
    int host_lane(int place = 0) { return lane(place, "host", true); }
    struct KnownStream {
        NativeStream stream;
        int lane = 0;
        int place = 0;
    };
    // Of the lanes that have one.
    std::vector<KnownStream> streams() const;
    int places() const;

    // With times of now().
    void add(Span span);
    // What began at `since` or later, in order, from 0 on; the log is empty after it.
    Timeline take(std::int64_t since);

  private:
    Clock clock_;
    mutable std::mutex mutex_;
    Timeline timeline_;
    std::vector<KnownStream> streams_;
};

// A span from its construction to its destruction, where there is a log.
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

}  // namespace camber
