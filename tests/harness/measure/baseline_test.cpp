// Baseline variants of speedups.
#include <map>
#include <string>

#include "harness/measure/study.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::baseline_test {
namespace {

void add(Registry& registry, std::string_view technique, const std::string& form, Region block,
         std::size_t kernels) {
    Variant variant;
    variant.info.workload = "surface_water";
    variant.info.technique.name = technique;
    variant.info.form = form;
    variant.info.shape = {.block = block};
    variant.info.regions.assign(kernels, block);
    variant.factories[Backend::simt] = {};
    registry.add(std::move(variant));
}

std::string baseline(const Registry& registry) {
    return baseline_name(*find_workload("surface_water"), registry);
}

TEST_CASE("every workload of cells has the plain form that was published as its baseline",
          "[baseline]") {
    const std::map<std::string, std::string> expected{
        {"life", "life/global/16x16"},
        {"larger_than_life", "larger_than_life/global/16x16"},
        {"blur", "blur/global/16x16"},
        {"gaussian", "gaussian/global/16x16"},
        {"dog", "dog/global/16x16"},
        {"dog_image", "dog_image/global/three_kernels/16x16"},
        {"extrema", "extrema/global/16x16"},
        {"extrema_stack", "extrema_stack/global/by_layer/16x16"},
        {"surface_water", "surface_water/global/three_kernels/16x16"},
        {"surface_water_clock", ""},  // has no plain form: cells write to their neighbors
        {"water_flow", "water_flow/global/two_kernels/16x16"},
        {"sciara_fv2", "sciara_fv2/global/four_kernels/16x16"},
        {"sciara_fv3", "sciara_fv3/global/six_kernels/16x16"},
        {"magflow", "magflow/global/four_kernels/16x16"},
        {"transfer_overlap", ""},  // has no plain form
        {"sph", ""}};              // has no plain form, either
    for (const auto& workload : workloads())
        CHECK(baseline_name(*workload, registry()) == expected.at(std::string(workload->name())));
}

TEST_CASE("the baseline is of the fewest kernels above one, in any order of registration",
          "[baseline]") {
    Registry registry;
    CHECK(baseline(registry).empty());
    add(registry, "halo", "three", {16, 16}, 3);
    add(registry, "global", "three", {64, 4}, 3);
    add(registry, "global", "three", {116, 16}, 3);
    CHECK(baseline(registry).empty());
    add(registry, "global", "fused", {16, 16}, 1);
    CHECK(baseline(registry) == "surface_water/global/fused/16x16");
    add(registry, "global", "four", {16, 16}, 4);
    CHECK(baseline(registry) == "surface_water/global/four/16x16");
    add(registry, "global", "three", {16, 16}, 3);
    add(registry, "global", "other_three", {16, 16}, 3);
    CHECK(baseline(registry) == "surface_water/global/three/16x16");
}

}  // namespace
}  // namespace camber::baseline_test
