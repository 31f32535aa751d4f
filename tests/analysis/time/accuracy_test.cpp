#include "analysis/time/accuracy.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace camber::accuracy_test {
namespace {

TimedPrediction one(const char* technique, double measured, double predicted) {
    return {technique, technique, measured, predicted, 0.9 * predicted, 1.1 * predicted, false};
}

}  // namespace

TEST_CASE("Kendall's tau counts pairs in the same and in the other order", "[time]") {
    CHECK(kendall_tau({1, 2, 3, 4}, {10, 20, 30, 40}) == 1);
    CHECK(kendall_tau({1, 2, 3, 4}, {40, 30, 20, 10}) == -1);
    CHECK(kendall_tau({1, 2, 3, 4}, {10, 20, 40, 30}) == Approx(4.0 / 6));
    // One pair tied in y: 5 of 6 pairs differ there, and all are in the same order.
    CHECK(kendall_tau({1, 2, 3, 4}, {10, 20, 30, 30}) == Approx(5 / std::sqrt(30.0)));
    CHECK(kendall_tau({1, 2}, {5, 5}) == 0);
    // Measured 2 % apart, and predicted in the other order.
    CHECK(kendall_tau({100, 102, 200}, {11, 10, 20}) == Approx(1.0 / 3));
    CHECK(somers_d({100, 102, 200}, {11, 10, 20}, 0.03) == 1);
    CHECK(somers_d({100, 102, 200}, {11, 10, 20}, 0) == Approx(1.0 / 3));
    CHECK(somers_d({100, 102, 200}, {11, 20, 20}, 0.03) == 0.5);
    CHECK(somers_d({100, 110, 200}, {11, 11, 20}, 0.03) == Approx(2.0 / 3));
    CHECK(somers_d({100, 101}, {1, 2}, 0.03) == 0);
}

TEST_CASE("the accuracy of predictions is that of their order and of their times", "[time]") {
    std::vector<TimedPrediction> predictions{one("a", 100, 100), one("b", 110, 99),
                                             one("c", 200, 240), one("d", 400, 600)};
    predictions[3].uncertain = true;
    const Accuracy result = accuracy(predictions);
    CHECK(result.variants == 4);
    CHECK(result.tau == Approx(4.0 / 6));
    CHECK(result.order_apart == Approx(4.0 / 6));
    CHECK(result.pick == Approx(1.1));
    CHECK(result.median_error == Approx(0.15));
    CHECK(result.ninth_error == Approx(0.5));
    CHECK(result.within == 0.75);
    CHECK(result.in_interval == 0.25);
    CHECK(result.uncertain == 1);
    CHECK(result.certain_error == Approx(0.1));
}

TEST_CASE("residuals are medians by technique, the worst first", "[time]") {
    const auto list = residuals({one("halo", 100, 101), one("tile", 100, 50), one("tile", 100, 70),
                                 one("tile", 100, 60), one("halo", 100, 103)});
    REQUIRE(list.size() == 2);
    CHECK(list[0].technique == "tile");
    CHECK(list[0].ratio == Approx(0.6));
    CHECK(list[0].variants == 3);
    CHECK(list[1].ratio == Approx(1.02));
}

}  // namespace camber::accuracy_test
