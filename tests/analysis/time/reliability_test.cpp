// Calibrated intervals and the reliability of predicted orders.
#include "analysis/time/reliability.hpp"

#include <string>
#include <vector>

#include "tests/catch.hpp"

namespace camber::reliability_test {
namespace {

PredictedTime bound_by(TimeResource resource) {
    PredictedTime time;
    time.seconds = 1;
    time.parts = {{resource, 1, ""}};
    set_interval(time);
    return time;
}

}  // namespace

TEST_CASE("an interval contains the predicted time and depends on what binds it", "[time]") {
    for (const TimeResource resource :
         {TimeResource::dram, TimeResource::issue, TimeResource::latency, TimeResource::launch}) {
        const PredictedTime time = bound_by(resource);
        CHECK(time.low <= 1);
        CHECK(time.high >= 1);
        CHECK(time.high < 2);
    }
    CHECK(bound_by(TimeResource::dram).low == bound_by(TimeResource::l2).low);
    CHECK(bound_by(TimeResource::dram).high != bound_by(TimeResource::issue).high);
    PredictedTime doubtful = bound_by(TimeResource::dram);
    doubtful.doubts = {"its counts are a sample's"};
    const double certain = doubtful.high;
    set_interval(doubtful);
    CHECK(doubtful.high != certain);
}

TEST_CASE("pairs that are predicted far apart are more often in their order", "[time]") {
    CHECK(share_in_order(1) < 0.8);
    CHECK(share_in_order(1) < share_in_order(1.25));
    CHECK(share_in_order(1.25) <= share_in_order(3));
    CHECK(share_in_order(100) > 0.99);
    CHECK(share_in_order(decisive_ratio()) >= 0.95);
    CHECK(decisive_ratio() > 1);
    CHECK(decisive_ratio() < 1.5);
}

TEST_CASE("variants that are too close to the fastest are a set", "[time]") {
    const double close = (1 + decisive_ratio()) / 2;
    CHECK(fastest_candidates({2, 1, close}) == std::vector<std::size_t>{1, 2});
    CHECK(fastest_candidates({3, 1, 2}) == std::vector<std::size_t>{1});
    CHECK(fastest_candidates({3}) == std::vector<std::size_t>{0});
    CHECK(pick_sentence({"a", "b", "c"}, {2, 1, close}) ==
          "The fastest is one of these 2, which are predicted too close together: b, c.");
    CHECK(pick_sentence({"a", "b"}, {10, 1})
              .starts_with("The fastest is b: of pairs predicted this far apart, "));
    CHECK(pick_sentence({"a"}, {1}) == "The fastest is a.");
    const std::vector<std::string> many{"a", "b", "c", "d", "e", "f", "g"};
    CHECK(pick_sentence(many, std::vector<double>(7, 1)).ends_with(": a, b, c, d, e and 2 more."));
}

}  // namespace camber::reliability_test
