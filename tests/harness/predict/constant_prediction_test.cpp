// Predictions for fields in constant memory, compared with values computed by hand.
#include <algorithm>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/predict/capture.hpp"
#include "harness/predict/prediction.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::constant_prediction_test {
namespace {

const Variant& variant_named(const std::string& name) {
    for (const Variant& variant : registry().variants())
        if (variant.info.name() == name && variant.factories.contains(Backend::simt))
            return variant;
    throw std::logic_error("no variant " + name);
}

Problem problem_of(const Workload& workload, Size size) {
    return {size, Boundary::dead, ElementType::float32, ParameterSet(workload.facts().parameters)};
}

}  // namespace

TEST_CASE("lanes that read different cells of constant memory take a pass each",
          "[model][constant]") {
    const Workload& workload = *find_workload("water_flow");
    const Problem problem = problem_of(workload, {64, 64});
    const InitialData data{&workload, {.size = problem.size, .cell = ElementType::float32}};
    const Variant& variant = variant_named("water_flow/constant/two_kernels/16x16");

    // A warp of 16x16 threads. best_levels loads the ground below 32 cells. distribute also loads
    // their sources, which are stored after the whole ground.
    const State initial = workload.initial(data.conditions);
    for (const std::size_t kernel : {0, 1}) {
        CAPTURE(kernel);
        const auto block =
            capture_block(variant, problem, initial, kernel, [](const simt::Extent3&) {
                return simt::Index3{1, 2, 0};
            });
        std::vector<WarpRequest> constant;
        for (const CapturedRequest& captured : block.requests)
            if (captured.warp == 3 && captured.request.space == Space::constant)
                constant.push_back(captured.request);
        REQUIRE(constant.size() == kernel + 1);
        // Function arguments are evaluated in unspecified order.
        std::ranges::sort(constant, {}, [](const WarpRequest& one) { return one.address[0]; });
        for (std::size_t field = 0; field <= kernel; ++field)
            for (int lane = 0; lane < warp_lanes; ++lane)
                CHECK(constant[field].address[lane] ==
                      4 * (64 * 64 * static_cast<std::int64_t>(field) +
                           (2 * 16 + 2 * 3 + lane / 16) * 64 + 16 + lane % 16));
    }

    for (const char* architecture : {"cc1.3", "sm_90"}) {
        const Prediction prediction =
            predict(variant, problem, data, parse_architecture(architecture));
        REQUIRE(prediction.kernels.size() == 2);
        constexpr std::int64_t warps = 64 * 64 / 32;
        const AccessCounts& best_levels = prediction.kernels[0].model.counts;
        CHECK(best_levels.constant_load.instructions == warps);
        CHECK(best_levels.constant_load.passes == 32 * warps);
        CHECK(best_levels.constant_load.minimum == warps);
        CHECK(best_levels.global_load.instructions == 5 * warps);
        const AccessCounts& distribute = prediction.kernels[1].model.counts;
        CHECK(distribute.constant_load.instructions == 2 * warps);
        CHECK(distribute.constant_load.passes == 2 * 32 * warps);
        CHECK(distribute.global_load.instructions == 6 * warps);
        CHECK(prediction.counts().constant_load.conflicts() == 3 * 31 * warps);
    }
}

TEST_CASE("what does not fit into constant memory is refused", "[model][constant]") {
    const Workload& water_flow = *find_workload("water_flow");
    const Variant& two_fields = variant_named("water_flow/constant/two_kernels/64x4");
    CHECK_FALSE(two_fields.unsupported(problem_of(water_flow, {128, 64})));
    CHECK(two_fields.unsupported(problem_of(water_flow, {128, 65})) ==
          "needs 66560 bytes of constant memory, there are 65536");
    const Problem large = problem_of(water_flow, {128, 128});
    CHECK_THROWS_WITH(
        predict(two_fields, large, {&water_flow, {.size = large.size, .cell = large.cell}},
                parse_architecture("sm_90")),
        contains("131072 bytes of constant memory"));

    // Only the ground is in constant memory: 16384 cells.
    const Workload& surface_water = *find_workload("surface_water");
    const auto composer = std::ranges::find_if(registry().composers(), [](const Composer& one) {
        return one.workload == "surface_water" && one.backend == Backend::simt;
    });
    REQUIRE(composer != registry().composers().end());
    const Variant one_field = composer->compose({"global/16x16", "global/16x16", "constant/16x16"});
    CHECK_FALSE(one_field.unsupported(problem_of(surface_water, {128, 128})));
    CHECK(one_field.unsupported(problem_of(surface_water, {128, 129})));
}

}  // namespace camber::constant_prediction_test
