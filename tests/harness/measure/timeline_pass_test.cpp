#include "harness/measure/timeline_pass.hpp"

#include <algorithm>

#include "harness/machine/queue/host_memory.hpp"
#include "harness/measure/case_runner.hpp"
#include "tests/catch.hpp"
#include "tests/harness/measure/session_fixture.hpp"

namespace timeline_pass_test {

using namespace camber;
using run_test::Fixture;

namespace {

std::int64_t kernels_of(const Timeline& timeline) {
    return std::ranges::count(timeline.spans, SpanKind::kernel, &Span::kind);
}

struct Refusing final : counters::ActivityTrace {
    std::int64_t now() const override { return 0; }
    void record(SpanLog&, const std::function<void()>&) override {
        throw Error(ExitCode::unavailable, "another profiler has the records");
    }
};

// A device whose clock counts calls, and whose work its records alone tell.
struct Recording final : counters::ActivityTrace {
    std::int64_t now() const override { return ++clock; }
    void record(SpanLog& log, const std::function<void()>& work) override {
        work();
        const int lane = log.lane(0, "stream 7");
        log.add({SpanKind::kernel, lane, "_Z9forgottenv", 0, 1});
        log.add({SpanKind::kernel, lane, "_ZN3cub6detail6ReduceIfiEEvPT_i", clock + 1, clock + 2});
        log.add({SpanKind::kernel, lane, "_Z4ownv", clock + 3, clock + 4});
    }
    mutable std::int64_t clock = 0;
};

}  // namespace

TEST_CASE("the timeline of a case has so many launches, once it is timed", "[timeline][run]") {
    Fixture fixture;
    const Variant& variant = fixture.add("plain");
    SECTION("where it is asked for") {
        fixture.study.traced = true;
        CaseRunner runner(fixture.study);
        const Case chosen{&variant, {}};
        CHECK_FALSE(runner.run(chosen, false).timeline);
        const CaseResult result = runner.run(chosen);
        REQUIRE(result.timeline);
        CHECK(result.timeline->name == fixture.name_of(0));
        CHECK(result.timeline->places == std::vector<std::string>{"cpu"});
        CHECK(result.timeline->residual_ns == 0.0);
        CHECK(result.timeline->spans.front().name == "timeline");
        CHECK(result.timeline->spans.front().start_ns == 0);
        CHECK(kernels_of(*result.timeline) == timeline_launches);
        CHECK(result.record.samples->ns.size() == 3);
    }
    SECTION("and no timeline else") {
        CaseRunner runner(fixture.study);
        CHECK_FALSE(runner.run(variant).timeline);
    }
}

TEST_CASE("of a run from the start the timeline has the last launches", "[timeline][run]") {
    const int generations = GENERATE(5, 20, 100);
    Fixture fixture;
    const Variant& variant = fixture.add("plain");
    fixture.study.traced = true;
    fixture.study.from_start = true;
    fixture.study.generations = generations;
    CaseRunner runner(fixture.study);
    const CaseResult result = runner.run(variant);
    REQUIRE(result.timeline);
    CHECK(kernels_of(*result.timeline) == std::min(generations, timeline_launches));
}

TEST_CASE("a timeline that cannot be recorded leaves the case as it is", "[timeline][run]") {
    Fixture fixture;
    const Variant& first = fixture.add("first");
    const Variant& second = fixture.add("second");
    fixture.study.traced = true;
    CaseRunner runner(fixture.study);
    Instruments instruments;
    instruments.activity_trace = std::make_unique<Refusing>();
    runner.use(std::move(instruments));
    for (const Variant* variant : {&first, &second}) {
        const CaseResult result = runner.run(*variant);
        CHECK(result.record.status == results::Status::ok);
        CHECK_FALSE(result.timeline);
    }
    CHECK(runner.instrument_failures().at(timeline_failure) == "another profiler has the records");
}

TEST_CASE("a device's records join what the host tells, on the device's clock", "[timeline][run]") {
    HostMemoryQueue queue;
    Recording trace;
    Timeline timeline = record_timeline(
        queue, "cuda:0", &trace, [] {},
        [&] {
            std::byte from{}, to{};
            queue.copy(&to, &from, 1);
        });
    REQUIRE(timeline.spans.size() == 3);
    CHECK(timeline.spans[0].kind == SpanKind::copy);
    CHECK_FALSE(timeline.residual_ns);

    KernelFacts own;
    own.name = "own_kernel";
    own.symbol = "_Z4ownv";
    name_kernels(timeline, {own});
    CHECK(timeline.spans[1].name == "Reduce");
    CHECK(timeline.spans[2].name == "own_kernel");
}

}  // namespace timeline_pass_test
