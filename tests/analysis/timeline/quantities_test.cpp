#include "analysis/timeline/quantities.hpp"

#include "tests/analysis/timeline/made_timelines.hpp"
#include "tests/catch.hpp"

namespace quantities_test {

using namespace camber;
using namespace camber::timeline;
using namespace camber::timeline_test;

TEST_CASE("kernels of two queues that overlap count once", "[timeline]") {
    Timeline made = two_places();
    made.spans = {span(SpanKind::kernel, 1, 0, 100), span(SpanKind::kernel, 2, 50, 200),
                  span(SpanKind::kernel, 4, 300, 400)};
    const Quantities found = quantities_of(made);
    CHECK(found.length_ns == 400);
    REQUIRE(found.places.size() == 2);
    CHECK(found.places[0].place == "cuda:0");
    CHECK(found.places[0].kernels == 2);
    CHECK(found.places[0].kernel_ns == 200);
    CHECK(found.places[0].busy_share == 0.5);
    CHECK(found.places[1].kernel_ns == 100);
    CHECK(found.imbalance == 200 / 150.0);
}

TEST_CASE("a copy is exposed while no kernel of its own place runs", "[timeline]") {
    Timeline made = two_places();
    made.spans = {span(SpanKind::kernel, 2, 0, 100), span(SpanKind::peer, 1, 80, 130),
                  // Hidden by a kernel of another place it is not.
                  span(SpanKind::kernel, 5, 0, 500), span(SpanKind::download, 1, 120, 150),
                  span(SpanKind::upload, 4, 100, 200)};
    const Quantities found = quantities_of(made);
    CHECK(found.places[0].copy_ns == 70);
    CHECK(found.places[0].exposed_copy_ns == 50);
    CHECK(found.places[1].copy_ns == 100);
    CHECK(found.places[1].exposed_copy_ns == 0);
}

TEST_CASE("gaps lie between the kernels of a place, where nothing of it runs", "[timeline]") {
    Timeline made = two_places();
    made.spans = {span(SpanKind::upload, 1, 0, 10),    span(SpanKind::kernel, 2, 40, 100),
                  span(SpanKind::kernel, 2, 120, 200), span(SpanKind::copy, 1, 210, 230),
                  span(SpanKind::kernel, 2, 300, 310), span(SpanKind::download, 1, 400, 500)};
    const PlaceQuantities found = quantities_of(made).places[0];
    CHECK(found.gaps == 3);
    CHECK(found.gap_ns == 20 + 10 + 70);
    CHECK(found.longest_gap_ns == 70);
}

TEST_CASE("waits at barriers and of the host are no work", "[timeline]") {
    Timeline made = two_places();
    made.spans = {span(SpanKind::kernel, 2, 0, 100), span(SpanKind::barrier, 1, 100, 130),
                  span(SpanKind::barrier, 2, 110, 150), span(SpanKind::wait, 0, 20, 160),
                  span(SpanKind::kernel, 2, 150, 200)};
    const PlaceQuantities found = quantities_of(made).places[0];
    CHECK(found.barrier_wait_ns == 50);
    CHECK(found.host_wait_ns == 140);
    CHECK(found.kernel_ns == 150);
    CHECK(found.busy_share == 0.75);
}

TEST_CASE("work is led back to the host's call by its correlation", "[timeline]") {
    Timeline made = two_places();
    made.spans = {span(SpanKind::issue, 0, 0, 4, 1), span(SpanKind::issue, 0, 5, 9, 2),
                  span(SpanKind::kernel, 2, 7, 50, 1), span(SpanKind::kernel, 2, 60, 90, 2),
                  span(SpanKind::kernel, 2, 95, 99, 3)};
    CHECK(quantities_of(made).places[0].issue_to_start_ns == (7 + 55) / 2.0);
}

TEST_CASE("no work at all gives no shares", "[timeline]") {
    const Quantities found = quantities_of(two_places());
    CHECK(found.length_ns == 0);
    CHECK(found.places[0].busy_share == 0);
    CHECK_FALSE(found.places[0].issue_to_start_ns);
    CHECK_FALSE(found.imbalance);
    CHECK_FALSE(clock_residual_ns(two_places()));
}

TEST_CASE("calls and waits bound how far clocks can be off", "[timeline]") {
    Timeline made = two_places();
    made.spans = {span(SpanKind::issue, 0, 0, 4, 1), span(SpanKind::kernel, 1, 3, 50, 1),
                  span(SpanKind::issue, 0, 5, 9, 2), span(SpanKind::kernel, 2, 60, 90, 2),
                  // For the lane that ends just before it, not for the other one.
                  span(SpanKind::wait, 0, 10, 58, 3), span(SpanKind::wait, 0, 59, 96, 4),
                  // Work that is issued later is not waited for.
                  span(SpanKind::issue, 0, 60, 61, 5), span(SpanKind::kernel, 1, 100, 300, 5)};
    CHECK(clock_residual_ns(made) == 6.0);  // 3 from the call on, 96 - 90 to the wait's end

    SECTION("a kernel that starts before its call shows a clock that is off") {
        made.spans.push_back(span(SpanKind::issue, 0, 400, 401, 6));
        made.spans.push_back(span(SpanKind::kernel, 1, 380, 390, 6));
        CHECK(clock_residual_ns(made) == 20.0);
    }
    SECTION("a place without waits cannot be told") {
        made.spans.push_back(span(SpanKind::issue, 3, 400, 401, 6));
        made.spans.push_back(span(SpanKind::kernel, 4, 410, 420, 6));
        CHECK_FALSE(clock_residual_ns(made));
    }
}

}  // namespace quantities_test
