// libcupti, loaded at run time, with owners of its host and range profiler objects, and the conversion of
// CUPTI's activity records into timeline spans. Only sources of this folder that are built with CUPTI's
// headers include this file; no other code sees CUPTI's types.
#pragma once

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/machine/counters/cupti_host.hpp"
#include "harness/machine/queue/span_log.hpp"

namespace camber::counters {

// libcupti, loaded at run time, for sources of this folder that are built with CUPTI's headers; no
// other code sees CUPTI's types

// CUPTI functions in use. A library that lacks one is too old.
#define CAMBER_CUPTI_FUNCTIONS(use)                    \
    use(cuptiGetResultString);                         \
    use(cuptiGetVersion);                              \
    use(cuptiDeviceGetChipName);                       \
    use(cuptiActivityRegisterCallbacks);               \
    use(cuptiActivityEnable);                          \
    use(cuptiActivityDisable);                         \
    use(cuptiActivityFlushAll);                        \
    use(cuptiActivityGetNextRecord);                   \
    use(cuptiGetTimestamp);                            \
    use(cuptiGetStreamIdEx);                           \
    use(cuptiGetCallbackName);                         \
    use(cuptiProfilerInitialize);                      \
    use(cuptiProfilerDeviceSupported);                 \
    use(cuptiProfilerGetCounterAvailability);          \
    use(cuptiProfilerHostInitialize);                  \
    use(cuptiProfilerHostDeinitialize);                \
    use(cuptiProfilerHostGetSupportedChips);           \
    use(cuptiProfilerHostGetBaseMetrics);              \
    use(cuptiProfilerHostGetSubMetrics);               \
    use(cuptiProfilerHostConfigAddMetrics);            \
    use(cuptiProfilerHostGetConfigImageSize);          \
    use(cuptiProfilerHostGetConfigImage);              \
    use(cuptiProfilerHostGetNumOfPasses);              \
    use(cuptiProfilerHostEvaluateToGpuValues);         \
    use(cuptiRangeProfilerEnable);                     \
    use(cuptiRangeProfilerDisable);                    \
    use(cuptiRangeProfilerGetCounterDataSize);         \
    use(cuptiRangeProfilerCounterDataImageInitialize); \
    use(cuptiRangeProfilerSetConfig);                  \
    use(cuptiRangeProfilerStart);                      \
    use(cuptiRangeProfilerStop);                       \
    use(cuptiRangeProfilerPushRange);                  \
    use(cuptiRangeProfilerPopRange);                   \
    use(cuptiRangeProfilerDecodeData);                 \
    use(cuptiRangeProfilerGetCounterDataInfo)

struct CuptiLibrary {
#define CAMBER_DECLARE(function) decltype(&::function) function = nullptr
    CAMBER_CUPTI_FUNCTIONS(CAMBER_DECLARE);
#undef CAMBER_DECLARE
};

// Loads libcupti on the first call and never unloads it, which CUPTI does not support. Throws
// Error(unavailable) if there is no library.
const CuptiLibrary& cupti();

// Throws counter_error() if `result` is an error.
void check(CUptiResult result, std::string_view action);

// Makes the argument of a CUPTI call: a structure that begins with its own size; the rest is zero.
template <class Parameters>
Parameters parameters(std::size_t size) {
    Parameters made{};
    made.structSize = size;
    return made;
}

// Owner of CUPTI's host object of one chip.
class HostObject {
  public:
    HostObject(const std::string& chip, Bytes availability)
        : chip_(chip), availability_(std::move(availability)) {
        auto made = parameters<CUpti_Profiler_Host_Initialize_Params>(
            CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
        made.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
        made.pChipName = chip_.c_str();
        made.pCounterAvailabilityImage = availability_.empty() ? nullptr : availability_.data();
        check(cupti().cuptiProfilerHostInitialize(&made), "reading the metrics of " + chip_);
        object_ = made.pHostObject;
    }
    ~HostObject() {
        auto freed = parameters<CUpti_Profiler_Host_Deinitialize_Params>(
            CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
        freed.pHostObject = object_;
        cupti().cuptiProfilerHostDeinitialize(&freed);
    }
    HostObject(const HostObject&) = delete;
    HostObject& operator=(const HostObject&) = delete;

    CUpti_Profiler_Host_Object* get() const { return object_; }

  private:
    std::string chip_;  // must live as long as the object that was made from them
    Bytes availability_;
    CUpti_Profiler_Host_Object* object_ = nullptr;
};

// Owner of CUPTI's range profiler. Only range_profiler.cpp uses it.

// Starts CUPTI's profiler at the first call. It is never stopped: if one user stopped it, others
// would lose it, and counted work would wait forever.
inline void start_profiler() {
    static const bool started = [] {
        auto made = parameters<CUpti_Profiler_Initialize_Params>(
            CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
        check(cupti().cuptiProfilerInitialize(&made), "starting the profiler");
        return true;
    }();
    static_cast<void>(started);
}

// The range profiler of a context. Stages that are open on destruction, for instance after an
// exception of work(), are closed in order.
class RangeProfiler {
  public:
    explicit RangeProfiler(CUcontext context) {
        auto enabled = parameters<CUpti_RangeProfiler_Enable_Params>(
            CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
        enabled.ctx = context;
        check(cupti().cuptiRangeProfilerEnable(&enabled), "enabling the counters");
        object_ = enabled.pRangeProfilerObject;
    }
    ~RangeProfiler() {
        auto popped = made<CUpti_RangeProfiler_PopRange_Params>(
            CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE);
        if (in_range_) cupti().cuptiRangeProfilerPopRange(&popped);
        auto stopped =
            made<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
        if (started_) cupti().cuptiRangeProfilerStop(&stopped);
        auto disabled = made<CUpti_RangeProfiler_Disable_Params>(
            CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
        cupti().cuptiRangeProfilerDisable(&disabled);
    }
    RangeProfiler(const RangeProfiler&) = delete;
    RangeProfiler& operator=(const RangeProfiler&) = delete;

    // Allocates room for one range from start() to stop() or, if `kernels` is above 0, for a range
    // for each of at most `kernels` kernels launched in between; then prepares to count the plan's
    // metrics. `counter_data` and the plan must outlive the counting.
    void prepare(const MetricPlan& plan, std::size_t kernels, Bytes& counter_data) {
        kernels_ = kernels;
        counter_data = room(plan);
        configure(plan, counter_data);
    }

    void start() {
        auto started =
            made<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
        check(cupti().cuptiRangeProfilerStart(&started), "starting a pass");
        started_ = true;
        if (kernels_ > 0) return;
        auto pushed = made<CUpti_RangeProfiler_PushRange_Params>(
            CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE);
        pushed.pRangeName = "camber";
        check(cupti().cuptiRangeProfilerPushRange(&pushed), "beginning a range");
        in_range_ = true;
    }

    // Ends a pass; returns true if it was the last one.
    bool stop() {
        auto popped = made<CUpti_RangeProfiler_PopRange_Params>(
            CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE);
        if (in_range_) {
            in_range_ = false;
            check(cupti().cuptiRangeProfilerPopRange(&popped), "ending a range");
        }
        auto stopped =
            made<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
        started_ = false;
        check(cupti().cuptiRangeProfilerStop(&stopped), "stopping a pass");
        return stopped.isAllPassSubmitted != 0;
    }

    // Fills the counter data that configure() was given. Returns the number of ranges, whose
    // indices are in launch order.
    std::size_t decode(const Bytes& counter_data) {
        auto decoded = made<CUpti_RangeProfiler_DecodeData_Params>(
            CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
        check(cupti().cuptiRangeProfilerDecodeData(&decoded), "decoding the counters");
        if (decoded.numOfRangeDropped != 0)
            throw Error(ExitCode::unavailable,
                        fmt::format("hardware counters cannot be read: CUPTI had room for {} "
                                    "kernels or ranges and dropped {} more",
                                    ranges(), decoded.numOfRangeDropped));
        auto info = parameters<CUpti_RangeProfiler_GetCounterDataInfo_Params>(
            CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE);
        info.pCounterDataImage = counter_data.data();
        info.counterDataImageSize = counter_data.size();
        check(cupti().cuptiRangeProfilerGetCounterDataInfo(&info), "decoding the counters");
        return info.numTotalRanges;
    }
    // Like decode(), for as many ranges as were allocated.
    void decode_all(const Bytes& counter_data) {
        const std::size_t recorded = decode(counter_data);
        if (recorded != ranges())
            throw Error(ExitCode::unavailable,
                        fmt::format("hardware counters cannot be read: CUPTI recorded {} ranges, "
                                    "where {} were measured",
                                    recorded, ranges()));
    }

  private:
    // Allocates room for all ranges of the plan's metrics. The profiler keeps pointers to the
    // result and to the plan's image.
    Bytes room(const MetricPlan& plan) {
        std::vector<const char*> names;
        for (const std::string& metric : plan.metrics()) names.push_back(metric.c_str());
        auto size = made<CUpti_RangeProfiler_GetCounterDataSize_Params>(
            CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
        size.pMetricNames = names.data();
        size.numMetrics = names.size();
        size.maxNumOfRanges = ranges();
        size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(ranges());
        check(cupti().cuptiRangeProfilerGetCounterDataSize(&size), "sizing the counter data");

        Bytes image(size.counterDataSize);
        auto filled = made<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
            CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
        filled.counterDataSize = image.size();
        filled.pCounterData = image.data();
        check(cupti().cuptiRangeProfilerCounterDataImageInitialize(&filled),
              "preparing the counter data");
        return image;
    }

    void configure(const MetricPlan& plan, Bytes& counter_data) {
        auto set = made<CUpti_RangeProfiler_SetConfig_Params>(
            CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
        set.configSize = plan.config_image().size();
        set.pConfig = plan.config_image().data();
        set.counterDataImageSize = counter_data.size();
        set.pCounterDataImage = counter_data.data();
        set.range = kernels_ > 0 ? CUPTI_AutoRange : CUPTI_UserRange;
        set.replayMode = CUPTI_UserReplay;
        set.maxRangesPerPass = ranges();
        set.numNestingLevels = 1;
        set.minNestingLevel = 1;
        set.passIndex = 0;
        set.targetNestingLevel = 1;
        check(cupti().cuptiRangeProfilerSetConfig(&set), "configuring the counters");
    }

    template <class Parameters>
    Parameters made(std::size_t size) const {
        auto made = parameters<Parameters>(size);
        made.pRangeProfilerObject = object_;
        return made;
    }

    std::size_t ranges() const { return kernels_ > 0 ? kernels_ : 1; }

    std::size_t kernels_ = 0;
    CUpti_RangeProfiler_Object* object_ = nullptr;
    bool started_ = false;
    bool in_range_ = false;
};

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
