#include <algorithm>
#include <cmath>

#include "analysis/time/ranking.hpp"
#include "tests/analysis/time/fixtures.hpp"
#include "tests/catch.hpp"

namespace camber::hopeless_test {
namespace {

const PredictedInterval quick{"life/quick", 1e-3, 0.9e-3, 1.2e-3, true};
const PredictedInterval doubtful{"life/doubtful", 0.1e-3, 0.05e-3, 0.2e-3, false};

}  // namespace

TEST_CASE("others are compared with the certain one that ends earliest at worst", "[time]") {
    const PredictedInterval vague{"life/vague", 0.95e-3, 0.5e-3, 1.3e-3, true};
    const std::vector<PredictedInterval> all{doubtful, vague, quick};
    REQUIRE(best_predicted_interval(all) == &all[2]);
    CHECK(best_predicted_interval({doubtful}) == nullptr);
    CHECK(best_predicted_interval({}) == nullptr);
    // If forms of one generation per launch exist, forms of several are not used as the reference.
    const PredictedInterval several{"life/several", 0.1e-3, 0.1e-3, 0.1e-3, true, 8};
    const std::vector<PredictedInterval> mixed{quick, several};
    CHECK(best_predicted_interval(mixed) == &mixed[1]);
    CHECK(best_predicted_interval(mixed, 8) == &mixed[1]);
    CHECK(best_predicted_interval(mixed, 7) == &mixed[0]);
}

TEST_CASE("hopeless is what is slow at best, and certain", "[time]") {
    PredictedInterval slow{"life/slow", 3e-3, 2.5e-3, 4e-3, true};
    CHECK(is_dominated(slow, quick));
    slow.certain = false;
    CHECK_FALSE(is_dominated(slow, quick));
    // Its predicted time is far above, but its lower bound is not.
    CHECK_FALSE(is_dominated({"life/vague", 9e-3, 1.7e-3, 20e-3, true}, quick));
    CHECK_FALSE(is_dominated(quick, quick));
}

TEST_CASE("why it is hopeless is said with both times", "[time]") {
    CHECK(why_dominated({"life/slow", 3e-3, 2.5e-3, 4e-3, true}, quick) ==
          "predicted 3.000 ms per generation, at least 2.500 ms; life/quick is predicted 1.000 ms, "
          "at most 1.200 ms");
}

TEST_CASE("an outlook is of a generation, and has the prediction's doubts", "[time]") {
    PredictedTime time = kernel_time(plain_kernel(), round_machine());
    const PredictedInterval of_four = predicted_interval("life/plain", time, 4);
    CHECK(of_four.seconds == Approx(time.seconds / 4));
    CHECK(of_four.low == Approx(time.low / 4));
    CHECK(of_four.high == Approx(time.high / 4));
    time.doubts.emplace_back("its counts are a sample's");
    CHECK_FALSE(predicted_interval("life/plain", time, 4).certain);
}

}  // namespace camber::hopeless_test

namespace camber::reason_test {
namespace {

NamedTime plain() {
    return {"life/plain", kernel_time(plain_kernel(), round_machine()), 1};
}

// The same with many passes over the banks.
NamedTime tiled() {
    KernelWork work = plain_kernel();
    work.counts.counts.shared_load = SharedCounts{{30 * 800000, 30 * 800000}, 30 * 800000};
    work.code.instructions["shared_loads"] = 30;
    work.code.instructions["total"] += 30;
    return {"life/tiled", kernel_time(work, round_machine()), 1};
}

}  // namespace

TEST_CASE("what parts contribute adds up to the difference", "[time]") {
    const auto parts = contributions(plain(), tiled());
    double sum = 0;
    for (const auto& [resource, seconds] : parts) sum += seconds;
    CHECK(sum == Approx(tiled().seconds() - plain().seconds()));
    const auto largest =
        std::ranges::max_element(parts, {}, [](const auto& p) { return p.second; });
    CHECK(largest->first == TimeResource::l1);
}

TEST_CASE("the sentence names the faster one, by how much, and why", "[time]") {
    const std::string sentence = reason(tiled(), plain());
    CHECK(sentence.starts_with("life/plain is "));
    CHECK(sentence.find("per generation") != std::string::npos);
    CHECK(sentence.find("per generation. life/tiled has ") != std::string::npos);
    CHECK(reason(plain(), tiled()) == sentence);
}

TEST_CASE("two of the same time are told to be so", "[time]") {
    CHECK(reason(plain(), plain()).find("take the same time") != std::string::npos);
}

TEST_CASE("a launch of two generations is compared by one", "[time]") {
    NamedTime two = plain();
    two.name = "life/two";
    two.generations = 2;
    CHECK(reason(plain(), two).starts_with("life/two is "));
}

TEST_CASE("doubts are told", "[time]") {
    NamedTime doubtful = tiled();
    doubtful.time.doubts = {"its counts are a sample's"};
    CHECK(reason(plain(), doubtful)
              .ends_with(
                  "The predicted time of life/tiled is uncertain: its counts are a sample's."));
}

TEST_CASE("a comparison says how often pairs this far apart were in order", "[time]") {
    const std::string sentence = reason(plain(), tiled());
    CHECK(sentence.find("Of pairs predicted this far apart, ") != std::string::npos);
    NamedTime doubtful = tiled();
    doubtful.time.doubts = {"its counts are a sample's"};
    CHECK(reason(plain(), doubtful).find("Of pairs") == std::string::npos);
}

}  // namespace camber::reason_test

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
    // One pair tied in y: 5 of 6 pairs differ there, and all of them have the same order.
    CHECK(kendall_tau({1, 2, 3, 4}, {10, 20, 30, 30}) == Approx(5 / std::sqrt(30.0)));
    CHECK(kendall_tau({1, 2}, {5, 5}) == 0);
    // Measured times 2 % apart, predicted in the opposite order.
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
