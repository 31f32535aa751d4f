// One timeline of several ranks: how barriers align their clocks, and what is kept apart.
#include "harness/measure/rank_timeline.hpp"

#include <cmath>
#include <random>
#include <string>

#include "harness/machine/queue/span_log.hpp"
#include "tests/catch.hpp"

namespace camber::rank_timeline_test {
namespace {

// Of two ranks that pass the same barriers, the second by a clock that is `lead` ahead: what each
// notes. Whoever comes first waits; messages take between 1 and 9 us.
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
    // One barrier: both came at 100 and left at 160 and 140.
    const ClockLead one = lead_of({{{100, 140}}}, {{{100, 160}}});
    CHECK(one.ns == -10);
    CHECK(one.residual_ns == 50);
}

TEST_CASE("timelines of ranks stand on one clock", "[timeline][ranks]") {
    // The second one's clock is 1000 ahead, as far as 20 either way can be told.
    const std::vector<BarrierTimes> barriers{{{{0, 20}}}, {{{1000, 1020}}}};
    const Timeline whole = merged_timeline(
        {timeline_of("cuda:0", 300, 400), timeline_of("cuda:1", 1250, 1390)}, barriers);
    CHECK(whole.name == "case");
    CHECK(whole.places == std::vector<std::string>{"rank 0, cuda:0", "rank 1, cuda:1"});
    REQUIRE(whole.lanes.size() == 4);
    CHECK(whole.lanes[3].place == 1);
    CHECK(whole.residual_ns == 25);
    REQUIRE(whole.spans.size() == 4);
    // Rank 1's kernel runs from 250 to 390 of rank 0's clock, and its call is the first span.
    CHECK(whole.spans[0].lane == 2);
    CHECK(whole.spans[0].start_ns == 0);
    CHECK(whole.spans[1].lane == 3);
    CHECK(whole.spans[1].start_ns == 10);
    CHECK(whole.spans[1].end_ns == 150);
    CHECK(whole.spans[3].start_ns == 60);
    // Both calls had the number 1.
    CHECK(whole.spans[0].correlation == whole.spans[1].correlation);
    CHECK(whole.spans[0].correlation != whole.spans[3].correlation);
    // What one cannot tell, nobody can.
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
