// Conversion of CUPTI's activity records into timeline spans (ActivitySpans).
#ifdef CAMBER_HAS_CUPTI

    #include "harness/machine/counters/activity_records.hpp"

    #include <fmt/format.h>

    #include <algorithm>
    #include <set>

namespace camber::counters {

namespace {

SpanKind kind_of_copy(std::uint8_t kind) {
    switch (kind) {
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
            return SpanKind::upload;
        case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
        case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
            return SpanKind::download;
        case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
            return SpanKind::peer;
        default:
            return SpanKind::copy;
    }
}

// Kernels by which devices send rows or wait for them (harness/machine/cuda/stream_kernels.hpp) are
// not computation.
SpanKind kind_of(const char* symbol) {
    const std::string_view name = symbol ? symbol : "";
    for (const std::string_view waiting : {"await_kernel", "least_of_places_kernel"})
        if (name.find(waiting) != std::string_view::npos) return SpanKind::barrier;
    if (name.find("deliver_kernel") != std::string_view::npos) return SpanKind::peer;
    return SpanKind::kernel;
}

std::string name_of(CUpti_ActivityOverheadKind kind) {
    switch (kind) {
        case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
            return "CUPTI flushes a buffer";
        case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
            return "CUPTI instruments";
        case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
            return "CUPTI makes a resource";
        case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
            return "CUDA loads a module";
        case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING:
            return "CUDA loads a kernel";
        case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL:
            return "the command buffer is full";
        default:
            return "overhead";
    }
}

Span span_of(SpanKind kind, std::string name, std::uint64_t start, std::uint64_t end,
             std::uint64_t bytes = 0, std::uint32_t correlation = 0) {
    Span span;
    span.kind = kind;
    span.name = std::move(name);
    span.start_ns = static_cast<std::int64_t>(start);
    span.end_ns = static_cast<std::int64_t>(end);
    span.bytes = static_cast<std::int64_t>(bytes);
    span.correlation = correlation;
    return span;
}

}  // namespace

ActivitySpans::ActivitySpans(SpanLog& log, const std::map<StreamId, SpanLog::KnownStream>& lanes,
                             CallName call_name)
    : log_(log), lanes_(lanes), call_name_(std::move(call_name)) {
    // Streams without a lane are assigned to the first log device of their CUDA device.
    for (const auto& [id, known] : lanes_) {
        const auto [place, fresh] = places_.try_emplace(id.first, known.place);
        if (!fresh) place->second = std::min(place->second, known.place);
    }
}

int ActivitySpans::place_of(std::uint32_t device) {
    const auto [place, fresh] = places_.try_emplace(device, log_.places());
    if (fresh) log_.name_place(place->second, fmt::format("cuda:{}", device));
    return place->second;
}

int ActivitySpans::host_lane(int place, std::uint32_t thread) {
    auto known = std::ranges::find(threads_, thread);
    if (known == threads_.end()) known = threads_.insert(known, thread);
    const auto number = known - threads_.begin();
    return number == 0 ? log_.host_lane(place)
                       : log_.lane(place, fmt::format("host {}", number + 1), true);
}

void ActivitySpans::add_work(SpanKind kind, std::string name, std::uint32_t device,
                             std::uint32_t context, std::uint32_t stream, std::uint64_t start,
                             std::uint64_t end, std::uint64_t bytes, std::uint32_t correlation) {
    if (start == 0 || end < start) return;  // CUPTI could not determine the times
    Span span = span_of(kind, std::move(name), start, end, bytes, correlation);
    auto known = lanes_.find({device, stream});
    if (known == lanes_.end()) {
        const int place = place_of(device);
        const int lane = log_.lane(place, fmt::format("stream {}", stream));
        known = lanes_.insert({StreamId{device, stream}, {{}, lane, place}}).first;
    }
    span.lane = known->second.lane;
    contexts_.try_emplace(context, known->second.place);
    work_.emplace_back(std::move(span), known->second.place);
}

void ActivitySpans::add(const CUpti_Activity& record) {
    switch (record.kind) {
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
            const auto& one = reinterpret_cast<const KernelRecord&>(record);
            add_work(kind_of(one.name), one.name ? one.name : "kernel", one.deviceId, one.contextId,
                     one.streamId, one.start, one.end, 0, one.correlationId);
            break;
        }
        case CUPTI_ACTIVITY_KIND_MEMCPY: {
            const auto& one = reinterpret_cast<const CopyRecord&>(record);
            const SpanKind kind = kind_of_copy(one.copyKind);
            add_work(kind, std::string(name(kind)), one.deviceId, one.contextId, one.streamId,
                     one.start, one.end, one.bytes, one.correlationId);
            break;
        }
        case CUPTI_ACTIVITY_KIND_MEMCPY2: {
            const auto& one = reinterpret_cast<const PeerCopyRecord&>(record);
            add_work(SpanKind::peer,
                     fmt::format("copy from device {} to {}", one.srcDeviceId, one.dstDeviceId),
                     one.deviceId, one.contextId, one.streamId, one.start, one.end, one.bytes,
                     one.correlationId);
            break;
        }
        case CUPTI_ACTIVITY_KIND_MEMSET: {
            const auto& one = reinterpret_cast<const FillRecord&>(record);
            add_work(SpanKind::fill, "fill", one.deviceId, one.contextId, one.streamId, one.start,
                     one.end, one.bytes, one.correlationId);
            break;
        }
        case CUPTI_ACTIVITY_KIND_RUNTIME:
        case CUPTI_ACTIVITY_KIND_DRIVER: {
            const auto& one = reinterpret_cast<const CUpti_ActivityAPI&>(record);
            const bool driver = record.kind == CUPTI_ACTIVITY_KIND_DRIVER;
            Call& call = calls_.emplace_back();
            call.span = span_of(
                SpanKind::issue,
                call_name_(driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API,
                           one.cbid),
                one.start, one.end, 0, one.correlationId);
            call.thread = one.threadId;
            call.driver = driver;
            break;
        }
        case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: {
            const auto& one = reinterpret_cast<const SynchronizationRecord&>(record);
            // The host does not wait if a stream is made to wait.
            if (one.type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT) break;
            waits_[one.correlationId] =
                span_of(SpanKind::wait, "wait", one.start, one.end, 0, one.correlationId);
            waited_contexts_[one.correlationId] = one.contextId;
            break;
        }
        case CUPTI_ACTIVITY_KIND_OVERHEAD: {
            const auto& one = reinterpret_cast<const OverheadRecord&>(record);
            if (one.start != 0)
                overheads_.push_back(
                    span_of(SpanKind::overhead, name_of(one.overheadKind), one.start, one.end));
            break;
        }
        default:
            break;
    }
}

void ActivitySpans::finish() {
    std::map<std::int64_t, int> place_of_work;  // by correlation
    for (const auto& [span, place] : work_) place_of_work.try_emplace(span.correlation, place);
    std::set<std::int64_t> runtime;
    for (const Call& call : calls_)
        if (!call.driver) runtime.insert(call.span.correlation);
    // The driver call that a runtime call makes is the same call, nested inside.
    std::erase_if(calls_, [&](const Call& call) {
        return call.driver && (runtime.contains(call.span.correlation) ||
                               !place_of_work.contains(call.span.correlation));
    });
    std::ranges::sort(calls_, {}, [](const Call& call) { return call.span.start_ns; });
    // The device to which the thread last submitted work.
    std::map<std::uint32_t, int> place_of_thread;
    for (Call& call : calls_) {
        const auto correlation = static_cast<std::uint32_t>(call.span.correlation);
        int& place = place_of_thread.try_emplace(call.thread, 0).first->second;
        if (const auto work = place_of_work.find(call.span.correlation);
            work != place_of_work.end())
            place = work->second;
        if (const auto wait = waits_.find(correlation); wait != waits_.end()) {
            call.span.kind = SpanKind::wait;
            if (const auto known = contexts_.find(waited_contexts_[correlation]);
                known != contexts_.end())
                place = known->second;
            waits_.erase(wait);
        }
        call.span.lane = host_lane(place, call.thread);
        log_.add(std::move(call.span));
    }
    for (auto& [correlation, wait] : waits_) {  // waits in calls that are not recorded
        const auto known = contexts_.find(waited_contexts_[correlation]);
        wait.lane = log_.host_lane(known == contexts_.end() ? 0 : known->second);
        log_.add(std::move(wait));
    }
    for (auto& [span, place] : work_) log_.add(std::move(span));
    for (Span& span : overheads_) {
        span.lane = log_.lane(0, "profiler", true);
        log_.add(std::move(span));
    }
}

}  // namespace camber::counters

#endif
