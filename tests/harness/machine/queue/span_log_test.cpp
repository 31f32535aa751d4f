// Span logs: timelines of queues and NVTX ranges.
#include <array>

#include "harness/base/kernel_launch.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "tests/catch.hpp"

namespace span_log_test {

using namespace camber;

namespace {

std::vector<std::string> names(const Timeline& timeline) {
    std::vector<std::string> found;
    for (const Span& span : timeline.spans)
        found.push_back(std::string(name(span.kind)) + " " + span.name + " on " +
                        timeline.lanes[static_cast<std::size_t>(span.lane)].name);
    return found;
}

}  // namespace

TEST_CASE("a host queue reports its copies, fills and launches to a log", "[timeline]") {
    simt::HostQueue queue(1);
    std::array<std::byte, 64> host{};
    const Memory memory(queue, 64);
    const Memory other(queue, 64);
    SpanLog log;
    queue.set_lane(1, "edges");
    queue.report_to(&log);
    queue.upload(memory.get(), 16, host.data(), 16, {16, 4});
    queue.copy(other.get(), memory.get(), 64);
    queue.fill(other.get(), 16, std::as_bytes(std::span("abcd", 4)));
    queue.launch("kernel", {{1, 1, 1}, {1, 1, 1}}, [] {});
    queue.download(host.data(), 16, memory.get(), 16, {16, 4});
    queue.report_to(nullptr);
    queue.copy(other.get(), memory.get(), 64);

    const Timeline timeline = log.take(0);
    CHECK(names(timeline) == std::vector<std::string>{"upload upload on edges", "wait wait on host",
                                                      "copy copy on edges", "fill fill on edges",
                                                      "kernel kernel on edges",
                                                      "download download on edges",
                                                      "wait wait on host"});
    CHECK(timeline.places.size() == 2);
    CHECK(timeline.lanes[0].place == 1);
    CHECK(timeline.spans[0].bytes == 64);
    CHECK(timeline.spans[0].start_ns == 0);
    for (std::size_t i = 1; i < timeline.spans.size(); ++i)
        CHECK(timeline.spans[i].start_ns >= timeline.spans[i - 1].end_ns);
}

TEST_CASE("work that is recorded stands in the log when it is replayed", "[timeline]") {
    simt::HostQueue queue(1);
    SpanLog log;
    queue.report_to(&log);
    const auto recording = queue.record([&] {
        queue.launch("kernel", {{1, 1, 1}, {1, 1, 1}}, [] {});
    });
    CHECK(log.take(0).spans.empty());
    recording->replay();
    const Timeline timeline = log.take(0);
    CHECK(names(timeline) ==
          std::vector<std::string>{"graph replay on host", "kernel kernel on queue"});
    queue.report_to(nullptr);
}

TEST_CASE("queues beside each other report together, each on its lane", "[timeline]") {
    simt::HostQueue queue(1);
    std::unique_ptr<Queue> beside = queue.open_beside();
    const Memory memory(queue, 64);
    const Memory other(queue, 64);
    SpanLog log;
    queue.report_to(&log);
    beside->copy(other.get(), memory.get(), 64);
    CHECK(log.take(0).spans.empty());  // the host has not waited yet
    beside->synchronize();
    const Timeline timeline = log.take(0);
    CHECK(names(timeline) == std::vector<std::string>{"wait wait on host", "copy copy on queue 2"});
    CHECK(timeline.spans[0].end_ns >= timeline.spans[1].end_ns);
    beside.reset();
    queue.open_beside()->copy(other.get(), memory.get(), 64);
    CHECK(names(log.take(0)) == std::vector<std::string>{"copy copy on queue 2"});
    queue.report_to(nullptr);
}

TEST_CASE("ranges stand in the log that listens", "[timeline]") {
    SpanLog log;
    { const MarkedRange unheard("before"); }
    {
        const MarkedRangesIn listening(log);
        const MarkedRange outer("outer");
        const MarkedRange inner("inner", 3);
    }
    { const MarkedRange unheard("after"); }
    CHECK(names(log.take(0)) ==
          std::vector<std::string>{"range outer on host", "range inner on host"});
}

TEST_CASE("a log gives what began at a time or later, from 0 on", "[timeline]") {
    std::int64_t now = 1000;
    SpanLog log([&] { return now; });
    const int lane = log.lane(0, "queue");
    for (; now < 1005; ++now) const SpanTimer span(&log, lane, SpanKind::kernel, "k");
    log.add({SpanKind::kernel, lane, "long", 1003, 2000});
    const Timeline timeline = log.take(1002);
    REQUIRE(timeline.spans.size() == 4);
    CHECK(timeline.spans[0].start_ns == 0);
    CHECK(timeline.spans[1].name == "long");
    CHECK(timeline.spans[3].start_ns == 2);
    CHECK(log.lane(0, "queue") == 0);
    CHECK(log.lane(0, "queue", true) == 1);
    CHECK(log.lane(0, "queue") == 0);
}

}  // namespace span_log_test
