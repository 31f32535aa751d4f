#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "harness/groups/halo_exchange.hpp"
#include "harness/machine/queue/host_memory.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/measure/case_runner.hpp"
#include "harness/measure/timeline_pass.hpp"
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

// A device whose clock counts calls, and whose activity records are made up.
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

namespace camber::rank_timeline_test {

// Merged timeline of several ranks: alignment of their clocks by barriers, and unique numbers.

namespace {

// Barrier times of two ranks that pass the same barriers. The second rank's clock is `lead` ahead.
// The rank that arrives first waits; messages take between 1 and 9 us.
std::pair<BarrierTimes, BarrierTimes> passed(std::int64_t lead, unsigned seed) {
    std::mt19937 random(seed);
    const auto up_to = [&](int most) { return static_cast<std::int64_t>(random() % most); };
    BarrierTimes first;
    BarrierTimes second;
    std::int64_t now = 1'000'000;
    for (int i = 0; i < 16; ++i) {
        const std::int64_t a = now + up_to(50'000);
        const std::int64_t b = now + up_to(50'000);
        const std::int64_t last = std::max(a, b);
        const std::int64_t left_a = last + 1'000 + up_to(8'000);
        const std::int64_t left_b = last + 1'000 + up_to(8'000);
        first.passages.push_back({a, left_a});
        second.passages.push_back({b + lead, left_b + lead});
        now = std::max(left_a, left_b);
    }
    return {first, second};
}

Timeline timeline_of(const std::string& place, std::int64_t start, std::int64_t end) {
    return {.name = "case",
            .places = {place},
            .lanes = {{0, "host", true}, {0, "queue", false}},
            .spans = {{SpanKind::issue, 0, "launch", start - 10, start, 0, 1},
                      {SpanKind::kernel, 1, "step", start, end, 0, 1}},
            .residual_ns = 5};
}

}  // namespace

TEST_CASE("barriers tell how far apart two clocks are, and how well they do", "[timeline][ranks]") {
    for (const std::int64_t lead : {0L, 123'456L, -98'765'432'100L})
        for (unsigned seed = 1; seed <= 20; ++seed) {
            const auto [first, second] = passed(lead, seed);
            const ClockLead found = lead_of(second, first);
            CAPTURE(lead, seed, found.ns, found.residual_ns);
            CHECK(std::abs(static_cast<double>(found.ns - lead)) <= found.residual_ns + 1);
            CHECK(found.residual_ns < 9'000);
        }
    // One barrier: both ranks entered at 100 and left at 160 and 140.
    const ClockLead one = lead_of({{{100, 140}}}, {{{100, 160}}});
    CHECK(one.ns == -10);
    CHECK(one.residual_ns == 50);
}

TEST_CASE("timelines of ranks stand on one clock", "[timeline][ranks]") {
    // The second rank's clock is 1000 ahead, with an uncertainty of 20.
    const std::vector<BarrierTimes> barriers{{{{0, 20}}}, {{{1000, 1020}}}};
    const Timeline whole = merged_timeline(
        {timeline_of("cuda:0", 300, 400), timeline_of("cuda:1", 1250, 1390)}, barriers);
    CHECK(whole.name == "case");
    CHECK(whole.places == std::vector<std::string>{"rank 0, cuda:0", "rank 1, cuda:1"});
    REQUIRE(whole.lanes.size() == 4);
    CHECK(whole.lanes[3].place == 1);
    CHECK(whole.residual_ns == 25);
    REQUIRE(whole.spans.size() == 4);
    // Rank 1's kernel runs from 250 to 390 on rank 0's clock, and its call is the first span.
    CHECK(whole.spans[0].lane == 2);
    CHECK(whole.spans[0].start_ns == 0);
    CHECK(whole.spans[1].lane == 3);
    CHECK(whole.spans[1].start_ns == 10);
    CHECK(whole.spans[1].end_ns == 150);
    CHECK(whole.spans[3].start_ns == 60);
    // Both calls had number 1.
    CHECK(whole.spans[0].correlation == whole.spans[1].correlation);
    CHECK(whole.spans[0].correlation != whole.spans[3].correlation);
    // If one rank's residual is unknown, the merged timeline's is unknown, too.
    Timeline unknown = timeline_of("cuda:1", 1250, 1390);
    unknown.residual_ns.reset();
    CHECK_FALSE(merged_timeline({timeline_of("cuda:0", 300, 400), unknown}, barriers).residual_ns);
}

TEST_CASE("barriers are taken out of a timeline", "[timeline][ranks]") {
    Timeline timeline = timeline_of("cpu", 300, 400);
    timeline.spans.insert(timeline.spans.begin(), {SpanKind::range, 0, "ranks meet", 3, 9});
    timeline.spans.push_back({SpanKind::range, 0, "timeline", 290, 410});
    const BarrierTimes times = take_barriers(timeline);
    REQUIRE(times.passages.size() == 1);
    CHECK(times.passages[0].entered == 3);
    CHECK(times.passages[0].left == 9);
    CHECK(timeline.spans.size() == 3);
}

}  // namespace camber::rank_timeline_test

namespace camber::group_times_test {
namespace {

timeline::Quantities two_places() {
    timeline::Quantities quantities;
    quantities.places.resize(2);
    quantities.places[0].kernel_ns = 3000;
    quantities.places[1].kernel_ns = 1000;
    quantities.places[0].exposed_copy_ns = 40;
    quantities.places[1].exposed_copy_ns = 120;
    quantities.places[1].exposed_wait_ns = 60;
    return quantities;
}

// Correct only after poisoning, as if it relied on the wait that poisoning adds.
class RightAfterPoison final : public Execution {
  public:
    explicit RightAfterPoison(std::unique_ptr<Execution> whole) : whole_(std::move(whole)) {}
    void upload(const State& initial) override { whole_->upload(initial); }
    void download(State& result) override { whole_->download(result); }
    void poison(Poison poison) override {
        waited_ = true;
        whole_->poison(poison);
    }
    void advance(int generations) override {
        if (std::exchange(waited_, false)) whole_->advance(generations);
    }

  private:
    std::unique_ptr<Execution> whole_;
    bool waited_ = false;
};

}  // namespace

TEST_CASE("a group's times are of a generation, of the place that has most", "[group]") {
    results::GroupRecord group;
    group.exchange = "stores";
    describe_group(group, two_places(), 4, nullptr);
    CHECK(group.exposed_transfer_ns == 30.0);
    CHECK(group.barrier_wait_ns == 15.0);
    CHECK(group.imbalance == 1.5);
    CHECK(group == [] {
        results::GroupRecord other;
        other.exchange = "stores";
        return other;
    }());
}

TEST_CASE("kernels that wait themselves do not show for how long", "[group]") {
    for (const char* exchange : {"kernel", "persistent"}) {
        results::GroupRecord group;
        group.exchange = exchange;
        describe_group(group, two_places(), 4, nullptr);
        CHECK_FALSE(group.barrier_wait_ns);
        CHECK(group.imbalance == 1.5);
    }
}

TEST_CASE("how the rows of a box were divided is noted", "[group][start]") {
    simt::HostQueue lead(1);
    Group group(lead, std::vector{0, 0});
    class Divided final : public Execution {
      public:
        explicit Divided(Group& group) : context_{group, {}, {}, 1} {
            context_.moved_rows = 5;
            context_.box_rows = {6, 5};
            context_.divisions = {{0, {9}, 0}, {7, {5, 5}, 5}};
        }
        void upload(const State&) override {}
        void download(State&) override {}
        void poison(Poison) override {}
        void advance(int) override {}
        const ExchangeContext* divided() const override { return &context_; }

      private:
        ExchangeContext context_;
    };
    results::GroupRecord record;
    note_rows(record, Divided(group));
    note_rows(record, Divided(group));
    CHECK(record.moved_rows == 5);
    CHECK(record.rows == std::vector{6, 5});
    REQUIRE(record.divisions.size() == 2);
    CHECK(record.divisions[1].generation == 7);
    CHECK(record.divisions[1].rows == std::vector{5, 5});
    CHECK(record.divisions[1].moved_rows == 5);
}

TEST_CASE("a group is verified as it is timed, too", "[group][verification]") {
    run_test::Fixture fixture;
    Variant& variant = fixture.add("plain");
    const auto factory = variant.factories.at(Backend::cpu);
    variant.factories[Backend::cpu] = [factory](Queue& queue, const Problem& problem) {
        return std::make_unique<RightAfterPoison>(factory(queue, problem));
    };
    SECTION("one place has no others to wait for") {
        CaseRunner runner(fixture.study);
        CHECK(runner.run(variant).record.status == results::Status::ok);
    }
    SECTION("several do") {
        variant.info.group.emplace();
        variant.info.group->devices = {0, 0};
        variant.info.group->division.weights = {1, 1};
        CaseRunner runner(fixture.study);
        const CaseResult result = runner.run(variant);
        CHECK(result.record.status == results::Status::failed);
        REQUIRE(result.record.verification);
        CHECK_FALSE(result.record.verification->passed());
    }
}

TEST_CASE("the case of a group has its times", "[group][timeline]") {
    run_test::Fixture fixture;
    Variant& variant = fixture.add("plain");
    variant.info.group.emplace();
    variant.info.group->division.weights = {1};
    CaseRunner runner(fixture.study);
    const CaseResult result = runner.run(variant);
    REQUIRE(result.record.identity.group);
    CHECK(result.record.identity.group->imbalance == 1.0);
    CHECK(result.record.identity.group->exposed_transfer_ns == 0.0);
    CHECK_FALSE(result.timeline);
}

}  // namespace camber::group_times_test
