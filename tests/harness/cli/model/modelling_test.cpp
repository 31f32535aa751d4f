#include "harness/cli/model/modelling.hpp"
#include "harness/cli/common/study_from.hpp"
#include "tests/catch.hpp"

namespace model_forecast_test {

using namespace camber;

namespace {

Study study(const char* workload, const char* size, const char* variant) {
    RunOptions options;
    options.workload = workload;
    options.size = size;
    options.backend = "simt";
    options.variants = {variant};
    return study_from(options);
}

}  // namespace

TEST_CASE("what a model costs is told before it is made", "[forecast]") {
    const Architecture architecture = parse_architecture("sm_90");
    // The accesses depend on the data, so the whole board is simulated.
    const Study lava = study("sciara_fv2", "2048x2048", "global/four_kernels/*");
    CHECK(model_seconds(lava, architecture) > 1);
    Study many = lava;
    while (many.variants.size() < 300) many.variants.push_back(lava.variants.front());
    CHECK_THAT(model_forecast(many, architecture),
               contains("this takes about ") &&
                   contains(": 300 variants of sciara_fv2 on 2048x2048 cells"));
    // Larger boards are sampled, which takes no longer.
    const Study larger = study("sciara_fv2", "8192x8192", "global/four_kernels/*");
    CHECK(model_seconds(larger, architecture) < 10 * model_seconds(lava, architecture));

    const Study life = study("life", "16384x16384", "halo/16x16/align128");
    CHECK(model_seconds(life, architecture) < 10);
    CHECK(model_forecast(life, architecture).empty());
    CHECK(model_seconds(study("life", "64x64", "halo/*"), architecture) == 0);
}

}  // namespace model_forecast_test
