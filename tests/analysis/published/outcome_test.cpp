#include "analysis/published/outcome.hpp"
#include "tests/catch.hpp"

namespace fate_test {

// Rule for the outcome of published statements, at its boundaries.

using namespace camber::published;

TEST_CASE("ratios within 3 % of 1 make no difference", "[published]") {
    const auto outcome = [](double ratio) { return outcome_of(ratio, std::nullopt); };
    CHECK(outcome(1) == Outcome::no_difference);
    CHECK(outcome(1.03) == Outcome::no_difference);
    CHECK(outcome(1.0301) == Outcome::holds);
    CHECK(outcome(1 / 1.03) == Outcome::no_difference);
    CHECK(outcome(1 / 1.0301) == Outcome::reversed);
    CHECK(outcome(250) == Outcome::holds);
    CHECK(outcome(0.004) == Outcome::reversed);
}

TEST_CASE("an interval that holds 1 makes no difference", "[published]") {
    CHECK(outcome_of(1.2, Interval{1, 1.4}) == Outcome::no_difference);
    CHECK(outcome_of(1.2, Interval{1.0001, 1.4}) == Outcome::holds);
    CHECK(outcome_of(0.8, Interval{0.6, 1}) == Outcome::no_difference);
    CHECK(outcome_of(0.8, Interval{0.6, 0.9999}) == Outcome::reversed);
    // The interval's width does not matter.
    CHECK(outcome_of(1.02, Interval{1.019, 1.021}) == Outcome::no_difference);
}

TEST_CASE("two series of times are judged, and one alone is not", "[published]") {
    const ProcessSamples fast{{80}};
    const ProcessSamples slow{{100}};
    const Judged holds = judge(&fast, &slow);
    CHECK(holds.outcome == Outcome::holds);
    CHECK(*holds.ratio == 1.25);
    CHECK(holds.interval->low == 1.25);
    CHECK(judge(&slow, &fast).outcome == Outcome::reversed);
    for (const Judged& alone : {judge(&fast, nullptr), judge(nullptr, &fast)}) {
        CHECK(alone.outcome == Outcome::undecided);
        CHECK_FALSE(alone.ratio.has_value());
        CHECK_FALSE(alone.interval.has_value());
    }
    // The medians differ by 10 %, the samples by more.
    const ProcessSamples wide{{70, 90, 110, 130, 150}};
    const Judged noisy = judge(&wide, &slow);
    CHECK(noisy.outcome == Outcome::no_difference);
    CHECK(*noisy.ratio == Approx(100.0 / 110));
    CHECK(noisy.interval->high > 1);
}

TEST_CASE("the words of a verdict", "[published]") {
    CHECK(name(Outcome::holds) == "holds");
    CHECK(name(Outcome::reversed) == "reversed");
    CHECK(name(Outcome::no_difference) == "no difference");
    CHECK(name(Outcome::undecided) == "not decidable");
}

}  // namespace fate_test

namespace explained_test {

using namespace camber::published;

namespace {

Explained of(double printed, double low, double high) {
    return explained(printed, PredictedRatio{(low + high) / 2, {low, high}});
}

}  // namespace

TEST_CASE("an order is explained where all of the interval says it", "[published]") {
    CHECK(of(1.2, 1.04, 3) == Explained::explains);
    CHECK(of(1.2, 1.02, 3) == Explained::cannot_tell);
    CHECK(of(1.2, 0.5, 3) == Explained::cannot_tell);
    CHECK(of(0.8, 0.5, 0.9) == Explained::explains);
    CHECK(of(1, 0.98, 1.02) == Explained::explains);
    CHECK(of(1, 0.98, 1.5) == Explained::cannot_tell);
}

TEST_CASE("an order is contradicted where nothing in the interval says it", "[published]") {
    CHECK(of(1.2, 0.5, 0.9) == Explained::contradicts);
    CHECK(of(1.2, 0.5, 1.02) == Explained::contradicts);
    CHECK(of(1.2, 1, 1) == Explained::contradicts);
    CHECK(of(0.8, 0.99, 2) == Explained::contradicts);
    CHECK(of(1, 1.04, 2) == Explained::contradicts);
}

TEST_CASE("what is not predicted is not judged", "[published]") {
    CHECK(explained(1.2, std::nullopt) == Explained::not_predicted);
    CHECK(name(Explained::not_predicted) == "-");
}

TEST_CASE("Kendall's tau counts pairs in and against the printed order", "[published]") {
    CHECK(kendalls_tau({{2, 1.5}, {2, 1.1}, {0.5, 0.9}}) == 1);
    CHECK(kendalls_tau({{2, 0.5}, {2, 0.9}}) == -1);
    CHECK(kendalls_tau({{2, 1.5}, {2, 0.9}}) == 0);
    // A predicted tie counts for neither order. A printed tie is omitted.
    CHECK(kendalls_tau({{2, 1.5}, {2, 1}}) == 0.5);
    CHECK(kendalls_tau({{2, 1.5}, {1.01, 0.5}}) == 1);
    CHECK_FALSE(kendalls_tau({{1, 2}}).has_value());
    CHECK_FALSE(kendalls_tau({}).has_value());
}

}  // namespace explained_test
