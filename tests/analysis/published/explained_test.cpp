#include "analysis/published/explained.hpp"

#include "tests/catch.hpp"

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
    // Predicted as equal: for neither side. Printed as equal: no order.
    CHECK(kendalls_tau({{2, 1.5}, {2, 1}}) == 0.5);
    CHECK(kendalls_tau({{2, 1.5}, {1.01, 0.5}}) == 1);
    CHECK_FALSE(kendalls_tau({{1, 2}}).has_value());
    CHECK_FALSE(kendalls_tau({}).has_value());
}

}  // namespace explained_test
