// Conversion of CUPTI's records into spans. The records are made by hand, so no GPU is needed.

#ifdef CAMBER_HAS_CUPTI

    #include "harness/machine/counters/activity_records.hpp"

    #include "tests/catch.hpp"

namespace activity_spans_test {

using namespace camber;
using namespace camber::counters;

namespace {

template <class Record>
const CUpti_Activity& as_activity(const Record& record) {
    return reinterpret_cast<const CUpti_Activity&>(record);
}

KernelRecord kernel(std::uint32_t device, std::uint32_t stream, std::uint64_t start,
                    std::uint64_t end, std::uint32_t correlation) {
    KernelRecord record{};
    record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    record.deviceId = device;
    record.contextId = device + 1;
    record.streamId = stream;
    record.start = start;
    record.end = end;
    record.correlationId = correlation;
    record.name = "_Z6kernelv";
    return record;
}

CUpti_ActivityAPI call(CUpti_ActivityKind kind, std::uint64_t start, std::uint64_t end,
                       std::uint32_t correlation, std::uint32_t thread = 5) {
    CUpti_ActivityAPI record{};
    record.kind = kind;
    record.cbid = 1;
    record.start = start;
    record.end = end;
    record.correlationId = correlation;
    record.threadId = thread;
    return record;
}

struct Fixture {
    Fixture() {
        log.name_place(0, "cuda:0");
        log.host_lane();
    }
    std::vector<std::string> texts() {
        spans.finish();
        timeline = log.take(0);
        std::vector<std::string> found;
        for (const Span& span : timeline.spans) {
            const Lane& lane = timeline.lanes[static_cast<std::size_t>(span.lane)];
            found.push_back(std::string(name(span.kind)) + " " + span.name + " on " +
                            timeline.places[static_cast<std::size_t>(lane.place)] + " " +
                            lane.name);
        }
        return found;
    }

    SpanLog log;
    SpanLog::KnownStream main{{&log, 0}, log.lane(0, "queue"), 0};
    ActivitySpans spans{log, {{{0, 7}, main}}, [](CUpti_CallbackDomain domain, CUpti_CallbackId) {
                            return domain == CUPTI_CB_DOMAIN_DRIVER_API ? "cuCall" : "cudaCall";
                        }};
    Timeline timeline;
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("work stands on the lanes that are known, and on others of its device",
          "[timeline][counters]") {
    Fixture fixture;
    for (const KernelRecord& one : {kernel(0, 7, 100, 200, 1), kernel(0, 13, 110, 210, 2),
                                    kernel(1, 7, 120, 220, 3), kernel(0, 7, 0, 0, 4)})
        fixture.spans.add(as_activity(one));
    CHECK(fixture.texts() == Texts{"kernel _Z6kernelv on cuda:0 queue",
                                   "kernel _Z6kernelv on cuda:0 stream 13",
                                   "kernel _Z6kernelv on cuda:1 stream 7"});
    CHECK(fixture.timeline.spans[0].correlation == 1);
    CHECK(fixture.timeline.spans[1].start_ns == 10);
}

TEST_CASE("kernels that exchange rows compute nothing", "[timeline][counters]") {
    Fixture fixture;
    KernelRecord record = kernel(0, 7, 100, 200, 1);
    record.name = "_ZN6camber4cuda12await_kernelEPKjPj";
    fixture.spans.add(as_activity(record));
    record = kernel(0, 7, 200, 300, 2);
    record.name = "_ZN6camber4cuda14deliver_kernelI5uint4EEv";
    fixture.spans.add(as_activity(record));
    CHECK(fixture.texts() ==
          Texts{"barrier _ZN6camber4cuda12await_kernelEPKjPj on cuda:0 queue",
                "peer copy _ZN6camber4cuda14deliver_kernelI5uint4EEv on cuda:0 queue"});
}

TEST_CASE("copies are told apart by where bytes go", "[timeline][counters]") {
    Fixture fixture;
    std::uint64_t start = 100;
    for (const auto kind : {CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, CUPTI_ACTIVITY_MEMCPY_KIND_DTOH,
                            CUPTI_ACTIVITY_MEMCPY_KIND_DTOD}) {
        CopyRecord copy{};
        copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
        copy.copyKind = static_cast<std::uint8_t>(kind);
        copy.streamId = 7;
        copy.start = start++;
        copy.end = 900;
        copy.bytes = 4096;
        fixture.spans.add(as_activity(copy));
    }
    PeerCopyRecord peer{};
    peer.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
    peer.streamId = 7;
    peer.start = 200;
    peer.end = 300;
    peer.dstDeviceId = 1;
    fixture.spans.add(as_activity(peer));
    FillRecord fill{};
    fill.kind = CUPTI_ACTIVITY_KIND_MEMSET;
    fill.streamId = 7;
    fill.start = 400;
    fill.end = 500;
    fixture.spans.add(as_activity(fill));
    CHECK(fixture.texts() == Texts{"upload upload on cuda:0 queue",
                                   "download download on cuda:0 queue", "copy copy on cuda:0 queue",
                                   "peer copy copy from device 0 to 1 on cuda:0 queue",
                                   "fill fill on cuda:0 queue"});
    CHECK(fixture.timeline.spans[0].bytes == 4096);
}

TEST_CASE("calls of the host stand where their work went, and waits are waits",
          "[timeline][counters]") {
    Fixture fixture;
    const auto runtime = CUPTI_ACTIVITY_KIND_RUNTIME;
    const auto driver = CUPTI_ACTIVITY_KIND_DRIVER;
    // Records arrive in any order. One of the driver calls belongs to the runtime call with its
    // number, one launched a kernel by itself, and one did nothing relevant.
    for (const CUpti_ActivityAPI& one :
         {call(runtime, 400, 500, 3), call(runtime, 100, 110, 1), call(driver, 101, 109, 1),
          call(driver, 130, 140, 2), call(driver, 150, 151, 9), call(runtime, 160, 170, 10),
          call(runtime, 165, 166, 11, 6)})
        fixture.spans.add(as_activity(one));
    for (const KernelRecord& one : {kernel(0, 7, 120, 200, 1), kernel(1, 7, 150, 390, 2)})
        fixture.spans.add(as_activity(one));
    SynchronizationRecord wait{};
    wait.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    wait.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;
    wait.start = 405;
    wait.end = 495;
    wait.correlationId = 3;
    wait.contextId = 1;
    fixture.spans.add(as_activity(wait));
    wait.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
    wait.correlationId = 10;
    fixture.spans.add(as_activity(wait));
    OverheadRecord overhead{};
    overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
    overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING;
    overhead.start = 600;
    overhead.end = 700;
    fixture.spans.add(as_activity(overhead));
    CHECK(fixture.texts() ==
          Texts{"issue cudaCall on cuda:0 host", "kernel _Z6kernelv on cuda:0 queue",
                "issue cuCall on cuda:1 host", "kernel _Z6kernelv on cuda:1 stream 7",
                "issue cudaCall on cuda:1 host", "issue cudaCall on cuda:0 host 2",
                "wait cudaCall on cuda:0 host", "overhead CUDA loads a kernel on cuda:0 profiler"});
}

}  // namespace activity_spans_test

#endif
