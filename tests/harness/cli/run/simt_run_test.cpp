#include "harness/cli/common/study_from.hpp"
#include "harness/cli/run/printing.hpp"
#include "tests/catch.hpp"

namespace forecast_test {

using namespace camber;

namespace {

Study study(const char* size, int generations = 1) {
    RunOptions options;
    options.size = size;
    options.backend = "simt";
    options.generations = generations;
    options.variants = {"halo/16x16/align128"};
    return study_from(options);
}

}  // namespace

TEST_CASE("what a large board costs on the executor is told before it is computed", "[forecast]") {
    const auto cost = simt_seconds(study("16384x16384", 1000));
    REQUIRE(cost.has_value());
    CHECK(*cost > 10);
    const std::string sentence = simt_forecast(study("16384x16384", 1000), true);
    CHECK_THAT(sentence, contains("no GPU can be used here, and this takes about ") &&
                             contains("1 case of 16384x16384 cells and 1000 generations") &&
                             contains("170x130 cells are enough"));
    CHECK_THAT(simt_forecast(study("170x130", 2000000), false),
               contains("--variant chooses some of them") && !contains("are enough"));
    CHECK(simt_forecast(study("16384x16384", 1000), false).starts_with("this takes about "));
}

TEST_CASE("what is quick is not told", "[forecast]") {
    CHECK_FALSE(simt_seconds(study("170x90")).has_value());
    CHECK(simt_forecast(study("170x90"), true).empty());
}

}  // namespace forecast_test
