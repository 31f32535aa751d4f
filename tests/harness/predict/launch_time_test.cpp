#include "harness/predict/launch_time.hpp"
#include "tests/catch.hpp"

namespace camber::typical_code_test {
namespace {

results::Kernel kernel(std::map<std::string, std::int64_t> instructions) {
    results::Kernel one;
    one.occupancy = 1;
    one.instructions = std::move(instructions);
    return one;
}

}  // namespace

TEST_CASE("instructions for an access are those of all kernels together", "[model][time]") {
    results::CodeTable table;
    table.add("a", "float32", Boundary::dead,
              {kernel({{"total", 50}, {"global_loads", 9}, {"global_stores", 1}, {"fp32", 20}})});
    table.add("b", "float32", Boundary::dead,
              {kernel({{"total", 10}, {"shared_loads", 2}, {"skippable", 4}})});
    const auto per_access = instructions_per_access({table});
    CHECK(per_access.at("total") == Approx(60.0 / 12));
    CHECK(per_access.at("fp32") == Approx(20.0 / 12));
    CHECK_FALSE(per_access.contains("skippable"));
    CHECK_FALSE(per_access.contains("global_loads"));
    CHECK(instructions_per_access({}).empty());
}

TEST_CASE("a launch's typical code has its accesses and what stands around them", "[model][time]") {
    Prediction prediction;
    Variant variant;
    prediction.variant = &variant;
    prediction.architecture = parse_architecture("sm_90");
    KernelPrediction& launch = prediction.kernels.emplace_back();
    launch.kernel = "stencil";
    launch.grid = {10, 1};
    launch.block = {64, 4};  // 8 warps
    launch.model.counts.global_load.instructions = 9 * 80;
    launch.model.counts.global_store.instructions = 70;  // some warps do not store
    const auto kernels = typical_code(prediction, {{"total", 5}, {"fp32", 2}});
    REQUIRE(kernels.size() == 1);
    CHECK(kernels[0].name == "stencil");
    CHECK(kernels[0].occupancy == 1.0);
    CHECK(kernels[0].instructions.at("global_loads") == 9);
    CHECK(kernels[0].instructions.at("global_stores") == 1);
    CHECK(kernels[0].instructions.at("total") == 50);
    CHECK(kernels[0].instructions.at("fp32") == 20);
}

}  // namespace camber::typical_code_test
