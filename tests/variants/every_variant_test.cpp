// Every registered variant of every workload but the cellular automata of every_automaton_test.cpp on
// the SIMT executor compared with the reference, cell by cell.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/variants/every_variant.hpp"

namespace camber::every_variant_test {

using namespace camber::every_variant;

TEST_CASE("every variant of blur", "[every_variant]") {
    verify_all({"blur", ElementType::float32, 8, {{1, 1}, {3, 5}, {33, 17}, {130, 9}}});
    verify_all(
        {"blur", ElementType::float32, 8, {{1, 1}, {33, 17}, {130, 9}}, {3}, "separable", false});
    verify_all({"blur", ElementType::float64, 8, {{1, 1}, {3, 5}, {33, 17}, {130, 9}}});
}

TEST_CASE("every variant of gaussian", "[every_variant][gaussian]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64}) {
        const Trial trial{"gaussian", cell, 2, {{1, 1}, {33, 17}, {130, 9}}};
        verify_all(trial);
        const auto variants = variants_of(trial);
        for (const double radius : {1, 16})
            for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
                Study study = study_of(trial, {33, 17}, boundary, 3);
                study.problem.parameters.set("radius", {radius});
                study.problem.parameters.set("sigma", {radius / 2});
                study.generations = 2;
                CHECK(verify(study, variants) == static_cast<int>(variants.size()));
            }
    }
}

// Kernels compiled per radius: strips of several warps, some of them beyond the edge.
TEST_CASE("every radius of a Gaussian in registers and shared memory",
          "[every_variant][gaussian]") {
    const Trial trial{"gaussian", ElementType::float32, 1, {}};
    auto variants = variants_of(trial);
    std::erase_if(variants, [](const Variant* variant) {
        const std::string_view technique = variant->info.technique.name;
        return technique != "wide_rows" && technique != "separable_wide" &&
               technique != "weighted_stream" && technique != "separable_stage";
    });
    REQUIRE(variants.size() == 8);
    for (int radius = 1; radius <= 16; ++radius) {
        Study study = study_of(trial, radius % 4 == 1 ? Size{600, 77} : Size{301, 40},
                               radius % 2 ? Boundary::torus : Boundary::dead,
                               static_cast<std::uint64_t>(radius));
        study.problem.parameters.set("radius", {1.0 * radius});
        study.problem.parameters.set("sigma", {0.4 * radius + 0.5});
        study.generations = trial.generations;
        CHECK(verify(study, variants) == 8);
    }
}

TEST_CASE("every variant of dog", "[every_variant]") {
    verify_all(
        {"dog", ElementType::float32, 2, {{1, 1}, {3, 5}, {33, 17}, {64, 8}, {130, 9}}, {3, 4}});
}

TEST_CASE("every variant of dog_image", "[every_variant]") {
    verify_all({"dog_image", ElementType::float32, 2, {{1, 1}, {3, 5}, {33, 17}, {130, 9}}});
}

TEST_CASE("every variant of extrema", "[every_variant]") {
    verify_all({"extrema",
                ElementType::float32,
                2,
                {{1, 1}, {3, 5}, {33, 17}, {64, 8}, {130, 9}},
                {3, 4}});
}

TEST_CASE("every variant of extrema_stack", "[every_variant][slow]") {
    verify_all(
        {"extrema_stack", ElementType::float32, 2, {{1, 1}, {3, 5}, {33, 17}, {130, 9}, {520, 6}}});
}

TEST_CASE("every variant of surface_water", "[every_variant][slow]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64})
        verify_all({"surface_water", cell, 8, {{1, 1}, {3, 5}, {33, 17}, {130, 9}}});
}

TEST_CASE("every variant of surface_water_clock", "[every_variant]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64})
        verify_all({"surface_water_clock", cell, 8, {{1, 1}, {3, 5}, {33, 17}, {130, 9}}});
}

// Long enough for releases, which begin after some 200 generations.
TEST_CASE("every variant of surface_water_clock releases water when the reference does",
          "[every_variant][slow]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64}) {
        const Trial trial{"surface_water_clock", cell, 400, {}};
        Study study = study_of(trial, {48, 40}, Boundary::dead, 3);
        study.generations = trial.generations;
        auto variants = variants_of(trial);
        std::erase_if(variants, [](const Variant* variant) {
            return variant->info.shape.alignment != unaligned ||
                   variant->info.shape.block != Region{16, 16};
        });
        REQUIRE(variants.size() == 2);
        CHECK(verify(study, variants) == 2);
    }
}

TEST_CASE("every variant of water_flow", "[every_variant][slow]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64})
        verify_all({"water_flow",
                    cell,
                    8,
                    {{1, 1}, {3, 5}, {33, 17}, {64, 8}, {130, 9}},
                    {3, 4}});
}

TEST_CASE("every variant of sciara_fv2", "[every_variant][slow]") {
    verify_all({"sciara_fv2", ElementType::float64, 8, {{1, 1}, {3, 5}, {33, 17}, {130, 9}}, {3}});
}

TEST_CASE("every variant of sciara_fv3", "[every_variant][slow]") {
    verify_all({"sciara_fv3", ElementType::float64, 8, {{1, 1}, {3, 5}, {33, 17}, {130, 9}}, {3}});
}

TEST_CASE("every variant of sciara_fv3 in float", "[every_variant][slow]") {
    verify_all({"sciara_fv3", ElementType::float32, 8, {{1, 1}, {3, 5}, {33, 17}, {130, 9}}, {3}});
}

TEST_CASE("every variant of magflow", "[every_variant][slow]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64})
        verify_all({"magflow", cell, 8, {{1, 1}, {3, 5}, {33, 17}, {130, 9}}, {3}});
}

TEST_CASE("every variant of transfer_overlap", "[every_variant]") {
    verify_all({"transfer_overlap",
                ElementType::float32,
                3,
                {{1, 1}, {3, 1}, {3, 5}, {33, 17}, {130, 9}},
                {3}});
}

// Several lists, and walls in the middle; the parameters say how many particles there are.
TEST_CASE("every variant of sph", "[every_variant][sph]") {
    const struct {
        double scene;
        ElementType cell;
        std::size_t least;
    } trials[] = {
        {0, ElementType::float32, 30}, {2, ElementType::float32, 30}, {2, ElementType::float64, 3}};
    for (const auto& [scene, cell, least] : trials) {
        const Trial trial{"sph", cell, 8, {}};
        Study study = study_of(trial, {}, Boundary::dead, 1);
        study.generations = trial.generations;
        ParameterSet& parameters = study.problem.parameters;
        parameters.set("dp", {0.08});
        parameters.set("scene", {scene});
        parameters.set("rebuild", {3});
        study.initial.size = study.problem.size =
            study.workload->capabilities().parameter_start->size_for(parameters);
        const auto variants = variants_of(trial);
        CHECK(variants.size() >= least);
        CHECK(verify(study, variants) == static_cast<int>(variants.size()));
    }
}

TEST_CASE("no workload is left out of the tests of every variant", "[every_variant]") {
    std::vector<std::string> named{"life",
                                   "gaussian",
                                   "blur",
                                   "dog",
                                   "dog_image",
                                   "extrema",
                                   "extrema_stack",
                                   "surface_water",
                                   "surface_water_clock",
                                   "water_flow",
                                   "sciara_fv2",
                                   "sciara_fv3",
                                   "magflow",
                                   "transfer_overlap",
                                   "larger_than_life",
                                   "sph"};
    for (const Variant& variant : registry().variants()) {
        CAPTURE(variant.info.name());
        CHECK(std::ranges::find(named, variant.info.workload) != named.end());
    }
    CHECK(workloads().size() == named.size());
}

}  // namespace camber::every_variant_test
