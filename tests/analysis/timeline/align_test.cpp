#include "analysis/timeline/align.hpp"

#include <stdexcept>

#include "tests/analysis/timeline/made_timelines.hpp"
#include "tests/catch.hpp"

namespace align_test {

using namespace camber;
using namespace camber::timeline_test;

namespace {

// A rank whose clock is `late` behind: a kernel, then a barrier that all ranks leave at 100, 200
// and 300.
Timeline rank(const std::string& place, std::int64_t late, std::int64_t jitter = 0) {
    Timeline timeline;
    timeline.name = "made";
    timeline.places = {place};
    timeline.lanes = {{0, "host", true}, {0, "queue", false}};
    for (const std::int64_t end : {100, 200, 300}) {
        timeline.spans.push_back(span(SpanKind::issue, 0, end - 90 - late, end - 80 - late, end));
        timeline.spans.push_back(span(SpanKind::kernel, 1, end - 80 - late, end - 40 - late, end));
        const std::int64_t left = end - late + (end == 200 ? jitter : 0);
        timeline.spans.push_back(span(SpanKind::barrier, 1, end - 40 - late, left));
    }
    return timeline;
}

}  // namespace

TEST_CASE("ranks are aligned by the ends of their barriers", "[timeline]") {
    const Timeline whole = timeline::aligned({rank("rank 0", 0), rank("rank 1", 1000000, 3)});
    CHECK(whole.places == std::vector<std::string>{"rank 0", "rank 1"});
    REQUIRE(whole.lanes.size() == 4);
    CHECK(whole.lanes[2].place == 1);
    REQUIRE(whole.spans.size() == 18);
    CHECK(whole.residual_ns == 3.0);
    CHECK(whole.spans[0].start_ns == 0);
    CHECK(whole.spans[1].start_ns == 0);
    CHECK(whole.spans[0].lane + 2 == whole.spans[1].lane);
    CHECK(whole.spans[0].correlation != whole.spans[1].correlation);
    CHECK(whole.spans.back().end_ns - whole.spans.front().start_ns == 290);
}

TEST_CASE("ranks without barriers of equal number cannot be aligned", "[timeline]") {
    Timeline fewer = rank("rank 1", 0);
    fewer.spans.pop_back();
    CHECK_THROWS_AS(timeline::aligned({rank("rank 0", 0), fewer}), std::invalid_argument);
    CHECK_THROWS_AS(timeline::aligned({}), std::invalid_argument);
}

}  // namespace align_test
