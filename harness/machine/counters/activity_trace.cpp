#include "harness/machine/counters/activity_trace.hpp"

#ifdef CAMBER_HAS_CUPTI

    #include "harness/machine/counters/activity_trace.hpp"

    #include "harness/base/error.hpp"
    #include "harness/machine/counters/activity_records.hpp"

namespace camber::counters {

namespace {

// "cudaLaunchKernel" of "cudaLaunchKernel_v7000".
std::string call_name(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    const char* known = nullptr;
    if (cupti().cuptiGetCallbackName(domain, id, &known) != CUPTI_SUCCESS || !known)
        return "a call of CUDA";
    std::string name = known;
    if (const auto version = name.rfind("_v");
        version != std::string::npos &&
        name.find_first_not_of("0123456789", version + 2) == std::string::npos)
        name.resize(version);
    return name;
}

std::map<ActivitySpans::StreamId, SpanLog::KnownStream> known_lanes(const SpanLog& log) {
    std::map<ActivitySpans::StreamId, SpanLog::KnownStream> lanes;
    for (const SpanLog::KnownStream& known : log.streams()) {
        const auto stream = static_cast<CUstream>(const_cast<void*>(known.stream.handle));
        std::uint32_t id = 0;
        check(cupti().cuptiGetStreamIdEx(nullptr, stream, 0, &id), "asking for a stream's number");
        lanes[{static_cast<std::uint32_t>(known.stream.device), id}] = known;
    }
    return lanes;
}

class CuptiTrace final : public ActivityTrace {
  public:
    CuptiTrace() {
        prepare_activity();
        // Fails here if another profiler prevents recording, before anything is measured.
        collect_activity(
            {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL}, [] {}, [](const CUpti_Activity&) {});
    }

    std::int64_t now() const override {
        std::uint64_t ns = 0;
        check(cupti().cuptiGetTimestamp(&ns), "reading CUPTI's clock");
        return static_cast<std::int64_t>(ns);
    }

    void record(SpanLog& log, const std::function<void()>& work) override {
        ActivitySpans spans(log, known_lanes(log), call_name);
        collect_activity({CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                          CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET,
                          CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER,
                          CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_OVERHEAD},
                         work, [&](const CUpti_Activity& record) { spans.add(record); });
        if (!spans.has_device_work())
            throw Error(ExitCode::unavailable,
                        "CUPTI reports no kernel: another profiler may hold its activity records; "
                        "run camber without it");
        spans.finish();
    }
};

}  // namespace

std::unique_ptr<ActivityTrace> open_activity_trace() {
    return std::make_unique<CuptiTrace>();
}

}  // namespace camber::counters

#endif

#ifdef CAMBER_HAS_CUPTI

    #include "harness/machine/counters/activity_trace.hpp"

    #include <algorithm>
    #include <cstdint>
    #include <utility>

    #include "harness/machine/counters/activity_records.hpp"

namespace camber::counters {

namespace {

// CUPTI_ACTIVITY_KIND_KERNEL serializes kernels, as camber's streams do anyway. The other kind, for
// concurrent kernels, slows memory-bound kernels down by 5 %
// (results/experiments/activity_cost.cu). In a graph, however, the serializing kind records only
// the first kernel.
constexpr CUpti_ActivityKind of_streams = CUPTI_ACTIVITY_KIND_KERNEL;
constexpr CUpti_ActivityKind of_graphs = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;

struct Stamped {
    std::uint64_t start;
    KernelTime kernel;
};

class ActivityClock final : public KernelClock {
  public:
    ActivityClock() { prepare_activity(); }

    std::vector<KernelTime> time(const std::function<void()>& work) override {
        return stamped(of_streams, work);
    }
    std::vector<KernelTime> time_graphs(const std::function<void()>& work) override {
        return stamped(of_graphs, work);
    }

  private:
    static std::vector<KernelTime> stamped(CUpti_ActivityKind kind,
                                           const std::function<void()>& work) {
        std::vector<Stamped> kernels;
        collect_activity({kind}, work, [&](const CUpti_Activity& record) {
            if (record.kind != kind) return;
            const auto& kernel = reinterpret_cast<const KernelRecord&>(record);
            // Skips kernels for which CUPTI could not determine any time.
            if (kernel.start == 0 && kernel.end == 0) return;
            kernels.push_back(
                {kernel.start,
                 {kernel.name ? kernel.name : "", static_cast<double>(kernel.end - kernel.start)}});
        });
        std::ranges::sort(kernels, {}, &Stamped::start);
        std::vector<KernelTime> times;
        for (Stamped& kernel : kernels) times.push_back(std::move(kernel.kernel));
        return times;
    }
};

}  // namespace

std::unique_ptr<KernelClock> open_kernel_clock() {
    return std::make_unique<ActivityClock>();
}

}  // namespace camber::counters

#endif
