// Variants of every technique are clean: no races, no reads of unwritten memory.
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "harness/predict/check_variant.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::techniques_check_test {
namespace {

// Checks the first variant of every technique of a workload, in each of its pipelines, on a board
// that blocks overhang and on one that most blocks divide. Returns the techniques.
std::set<std::string> check_techniques(const std::string& name, ElementType cell) {
    const Workload& workload = *find_workload(name);
    std::set<std::string> techniques;
    std::set<std::pair<std::string, std::string>> done;
    for (const Variant& variant : registry().variants()) {
        const VariantInfo& info = variant.info;
        if (info.workload != name || info.cell != cell ||
            !variant.factories.contains(Backend::simt))
            continue;
        const std::string head = info.path().substr(0, info.path().find('/'));
        const bool pipeline = head.find_first_of("0123456789") == std::string::npos;
        if (!done.emplace(info.technique.name, pipeline ? head : "").second) continue;
        techniques.emplace(info.technique.name);
        for (const Size size : {Size{37, 21}, Size{256, 32}}) {
            const Problem problem{size, Boundary::dead, cell,
                                  ParameterSet(workload.facts().parameters)};
            const State initial = workload.initial({.size = size, .cell = cell, .seed = 5});
            // A cell that the first launch leaves out is found when the second launch reads it.
            const int launches = size.columns < 100 ? 2 : 1;
            const CheckResult result =
                check_variant(variant, problem, initial, launches * info.shape.generations, 1);
            INFO(describe(result));
            CHECK(result.clean());
        }
    }
    return techniques;
}

}  // namespace

TEST_CASE("techniques are clean on images", "[check][every_technique]") {
    for (const char* workload : {"dog", "dog_image", "extrema", "extrema_stack"}) {
        CAPTURE(workload);
        CHECK(check_techniques(workload, ElementType::float32).size() > 8);
    }
}

TEST_CASE("techniques are clean on the blur, streams of generations among them",
          "[check][every_technique]") {
    const auto techniques = check_techniques("blur", ElementType::float32);
    for (const char* name : {"register_stream", "bulk_copy", "shared_ring", "cluster_tile"})
        CHECK(techniques.contains(name));
}

TEST_CASE("techniques are clean on surface water", "[check][every_technique]") {
    CHECK(check_techniques("surface_water", ElementType::float32).size() > 12);
}

TEST_CASE("techniques are clean on surface water with clocks", "[check][every_technique]") {
    CHECK(check_techniques("surface_water_clock", ElementType::float32).size() == 2);
    CHECK(check_techniques("surface_water_clock", ElementType::float64).size() == 2);
}

TEST_CASE("techniques are clean on water flow", "[check][every_technique]") {
    CHECK(check_techniques("water_flow", ElementType::float32).size() > 12);
}

TEST_CASE("techniques are clean in double precision", "[check][every_technique]") {
    CHECK(check_techniques("blur", ElementType::float64).size() == 4);
    CHECK(check_techniques("gaussian", ElementType::float64).size() == 3);
    CHECK(check_techniques("surface_water", ElementType::float64).size() == 4);
    CHECK(check_techniques("water_flow", ElementType::float64).size() == 4);
}

TEST_CASE("techniques are clean on transfer_overlap", "[check][every_technique]") {
    CHECK(check_techniques("transfer_overlap", ElementType::float32).size() == 3);
}

TEST_CASE("techniques are clean on lava", "[check][every_technique][slow]") {
    CHECK(check_techniques("sciara_fv2", ElementType::float64).size() > 4);
    CHECK(check_techniques("sciara_fv3", ElementType::float64).size() == 26);
    CHECK(check_techniques("magflow", ElementType::float32).size() > 10);
}

TEST_CASE("techniques are clean on large neighbourhoods", "[check][every_technique]") {
    CHECK(check_techniques("larger_than_life", ElementType::uint8).size() == 12);
    CHECK(check_techniques("larger_than_life", ElementType::bits).size() == 5);
    CHECK(check_techniques("gaussian", ElementType::float32).size() == 14);
}

TEST_CASE("techniques are clean on cells of one byte", "[check][every_technique]") {
    CHECK(check_techniques("life", ElementType::uint8).size() > 12);
}

}  // namespace camber::techniques_check_test
