// CUPTI's activity records and their conversion into timeline spans. Only sources of this folder
// that are built with CUPTI's headers include this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/counters/cupti_library.hpp"
#include "harness/machine/queue/span_log.hpp"

namespace camber::counters {

// CUPTI's activity records, for sources of this folder that are built with CUPTI's headers

// Record types grow from release to release; these are the types of the headers in use.
#if CUPTI_API_VERSION >= 130000
using KernelRecord = CUpti_ActivityKernel10;
using CopyRecord = CUpti_ActivityMemcpy6;
using SynchronizationRecord = CUpti_ActivitySynchronization2;
using OverheadRecord = CUpti_ActivityOverhead3;
#else
using KernelRecord = CUpti_ActivityKernel9;
using CopyRecord = CUpti_ActivityMemcpy5;
using SynchronizationRecord = CUpti_ActivitySynchronization;
using OverheadRecord = CUpti_ActivityOverhead2;
#endif
using PeerCopyRecord = CUpti_ActivityMemcpyPtoP4;
using FillRecord = CUpti_ActivityMemset4;

// Throws Error(unavailable) if CUPTI cannot record activity.
void prepare_activity();

// Calls `visit` with every record of these kinds that is generated while `work` runs; `work` must
// return after its device work has ended. Nothing is recorded before and after, as that would slow
// down timed launches. Not reentrant. Throws Error(unavailable).
void collect_activity(std::initializer_list<CUpti_ActivityKind> kinds,
                      const std::function<void()>& work,
                      const std::function<void(const CUpti_Activity&)>& visit);

// Converts CUPTI's activity records into spans. For sources of this folder that are built with
// CUPTI's headers.
class ActivitySpans {
  public:
    // Device and CUPTI's stream number on it.
    using StreamId = std::pair<std::uint32_t, std::uint32_t>;
    // `lanes`: lanes of streams that the log knows. `call_name`: returns the name of a CUDA
    // function for its callback domain and id.
    using CallName = std::function<std::string(CUpti_CallbackDomain, CUpti_CallbackId)>;
    ActivitySpans(SpanLog& log, const std::map<StreamId, SpanLog::KnownStream>& lanes,
                  CallName call_name);

    void add(const CUpti_Activity& record);
    // Adds all spans to the log once every record has arrived, as records arrive out of order.
    void finish();

    bool has_device_work() const { return !work_.empty(); }

  private:
    struct Call {
        Span span;
        std::uint32_t thread = 0;
        // True for the CUDA driver API, called by the runtime or by the program.
        bool driver = false;
    };

    void add_work(SpanKind kind, std::string name, std::uint32_t device, std::uint32_t context,
                  std::uint32_t stream, std::uint64_t start, std::uint64_t end, std::uint64_t bytes,
                  std::uint32_t correlation);
    int place_of(std::uint32_t device);
    int host_lane(int place, std::uint32_t thread);

    SpanLog& log_;
    std::map<StreamId, SpanLog::KnownStream> lanes_;
    std::map<std::uint32_t, int> places_;    // by device
    std::map<std::uint32_t, int> contexts_;  // log device by context
    CallName call_name_;
    std::vector<std::pair<Span, int>> work_;  // spans with their log devices
    std::vector<Call> calls_;
    std::map<std::uint32_t, Span> waits_;                     // by correlation
    std::map<std::uint32_t, std::uint32_t> waited_contexts_;  // by correlation
    std::vector<Span> overheads_;
    std::vector<std::uint32_t> threads_;  // in order of appearance
};

}  // namespace camber::counters
