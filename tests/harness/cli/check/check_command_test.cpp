#include "harness/cli/check/check_command.hpp"
#include "harness/cli/common/study_from.hpp"
#include "tests/catch.hpp"

namespace check_forecast_test {

using namespace camber;

namespace {

Study study(const char* size, int generations) {
    RunOptions options;
    options.size = size;
    options.backend = "simt";
    options.generations = generations;
    options.variants = {"halo/16x16/align128"};
    return study_from(options);
}

}  // namespace

TEST_CASE("what a check costs is told before it begins", "[forecast]") {
    const Study small = study("64x48", 1);
    const Study large = study("4096x4096", 1000);
    CHECK(check_seconds({small}) < 10);
    CHECK(check_forecast({small}).empty());
    CHECK(check_seconds({large}) > 10);
    CHECK_THAT(check_forecast({small, large}),
               contains("this takes about ") && contains(": 2 cases of life"));
}

}  // namespace check_forecast_test
