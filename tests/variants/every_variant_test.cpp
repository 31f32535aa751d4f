// Every registered variant of every workload on the SIMT executor compared with the reference, cell
// by cell: on boards that its blocks overhang, and on one that they divide.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/layout.hpp"
#include "harness/measure/case_runner.hpp"
#include "tests/catch.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::every_variant_test {
namespace {

// Problem on which a workload's variants run.
struct Trial {
    const char* workload;
    ElementType cell;
    int generations;  // variants whose generations per launch do not divide it are left out
    std::vector<Size> sizes;
    std::vector<std::uint64_t> seeds{3};
    std::string rule = "";  // "": the workload's usual one
    bool fits = true;       // also test boards that the variants' blocks divide
};

std::vector<const Variant*> variants_of(const Trial& trial) {
    std::vector<const Variant*> found;
    for (const Variant& variant : registry().variants())
        if (variant.info.workload == trial.workload && variant.info.cell == trial.cell &&
            variant.factories.contains(Backend::simt) &&
            trial.generations % variant.info.shape.generations == 0 &&
            (trial.rule.empty() || variant.rules != Rules::usual))
            found.push_back(&variant);
    return found;
}

Study study_of(const Trial& trial, Size size, Boundary boundary, std::uint64_t seed) {
    Study study;
    study.workload = find_workload(trial.workload);
    study.problem = {size, boundary, trial.cell, ParameterSet(study.workload->facts().parameters)};
    study.problem.parameters.set_rule(trial.rule);
    study.initial = {.size = size, .cell = trial.cell, .seed = seed, .density = 0.4};
    study.backend = Backend::simt;
    study.time = false;
    study.cpu_threads = 1;  // such tests run side by side
    return study;
}

// True for the only reasons for which these boards may skip a variant.
bool may_be_skipped(const Variant& variant, const Problem& problem, const std::string& reason) {
    const std::string_view technique = variant.info.technique.name;
    if (technique == "array_of_structures" || technique == "vector_packed")
        return problem.boundary == Boundary::torus && reason.find("no torus") != std::string::npos;
    if (problem.cell == ElementType::bits && technique == "global")
        return problem.boundary == Boundary::torus && problem.size.columns % bits_per_word != 0 &&
               reason.find("its last word is not full") != std::string::npos;
    return technique == "constant" && problem.size.cells() * 4 >= 65536 / 2 &&
           reason.find("bytes of constant memory") != std::string::npos;
}

// Returns the number of verified variants.
int verify(const Study& study, const std::vector<const Variant*>& variants) {
    int verified = 0;
    CaseRunner runner(study);
    std::int64_t cells = 0;
    for (const HostField& field : runner.initial().fields) cells += field.size().cells();
    for (const Variant* variant : variants) {
        const CaseResult result = runner.run(*variant);
        CAPTURE(result.record.name, study.generations, study.initial.seed, result.record.reason);
        if (result.record.status == results::Status::skipped) {
            CHECK(may_be_skipped(*variant, study.problem, result.record.reason));
            continue;
        }
        CHECK(result.record.status == results::Status::ok);
        REQUIRE(result.record.verification);
        CHECK(result.record.verification->compared_cells == cells);
        ++verified;
    }
    return verified;
}

// Board that blocks divide, and number of generations for one launch.
struct Fit {
    int order;
    Size size;
    int generations;
    bool operator<(const Fit& other) const {
        return std::pair(order, generations) < std::pair(other.order, other.generations);
    }
};

// Variants by board: each on the first board that several of its blocks cover exactly.
std::map<Fit, std::vector<const Variant*>> fitting(const std::vector<const Variant*>& variants,
                                                   ElementType cell) {
    // With one-bit cells, a block of threads computes 32 times as many cells.
    const int cells = cell == ElementType::bits ? bits_per_word : 1;
    // Some boards are for blocks that compute fewer rows and columns than they have threads, or
    // three times as many columns. Further ones are for stretches of 31 lanes (four), stretches of
    // cells of a word (eight), tall stretches (two), clusters of blocks (four), pairs of warps (two)
    // and stretches in double (four); the last one is for long strips.
    constexpr Size boards[] = {
        {48, 48},    {256, 32},   {512, 64},  {2048, 32},  {512, 256}, {112, 112}, {480, 168},
        {112, 48},   {180, 60},   {384, 12},  {248, 64},   {248, 360}, {248, 532}, {248, 1064},
        {240, 256},  {224, 128},  {224, 382}, {224, 1171}, {480, 128}, {480, 365}, {1504, 128},
        {1504, 456}, {960, 256},  {512, 512}, {480, 80},   {240, 352}, {480, 368}, {112, 736},
        {248, 512},  {248, 8460}, {240, 288}, {4032, 312}, {448, 140}, {448, 92},  {512, 1024},
        {112, 256},  {96, 382},   {96, 1171}, {224, 365},  {240, 384}};
    std::map<Fit, std::vector<const Variant*>> fits;
    for (const Variant* variant : variants) {
        CAPTURE(variant->info.name());
        REQUIRE_FALSE(variant->info.regions.empty());
        const auto takes = [&](Size board) {
            return std::ranges::all_of(variant->info.regions, [&](Region region) {
                const int columns = board.columns * cells;
                return columns % region.columns == 0 && board.rows % region.rows == 0 &&
                       Size{columns, board.rows} != Size{region.columns, region.rows};
            });
        };
        const auto found = std::ranges::find_if(boards, takes);
        REQUIRE(found != std::end(boards));
        const Size size{found->columns * cells, found->rows};
        const int generations = variant->info.shape.generations;
        fits[{static_cast<int>(found - boards), size, generations}].push_back(variant);
    }
    return fits;
}

void verify_all(const Trial& trial) {
    const auto variants = variants_of(trial);
    REQUIRE_FALSE(variants.empty());
    for (const Boundary boundary : find_workload(trial.workload)->facts().boundaries) {
        for (const Size size : trial.sizes)
            for (const std::uint64_t seed : trial.seeds) {
                Study study = study_of(trial, size, boundary, seed);
                study.generations = trial.generations;
                CHECK(verify(study, variants) > 0);
            }
        if (!trial.fits) continue;
        for (const auto& [board, chosen] : fitting(variants, trial.cell)) {
            Study study = study_of(trial, board.size, boundary, trial.seeds[0]);
            study.generations = board.generations;
            verify(study, chosen);
        }
    }
}

}  // namespace

TEST_CASE("every variant of life", "[every_variant][slow]") {
    verify_all({"life",
                ElementType::uint32,
                8,
                {{1, 1}, {2, 3}, {41, 1}, {1, 37}, {3, 5}, {33, 17}, {64, 8}, {130, 9}}});
    verify_all({"life", ElementType::uint32, 16, {{33, 17}}, {11}});
}

TEST_CASE("every variant of life on one-byte cells", "[every_variant]") {
    verify_all({"life", ElementType::uint8, 8, {{1, 1}, {3, 5}, {33, 17}, {130, 9}}});
}

TEST_CASE("every variant of life with many generations per launch", "[every_variant][slow]") {
    for (const ElementType cell : {ElementType::uint32, ElementType::uint8})
        for (const char* rule : {"", "B0246/S1357"}) {
            const Trial trial{"life", cell, 64, {}, {3}, rule};
            auto variants = variants_of(trial);
            std::erase_if(variants, [](const Variant* variant) {
                return variant->info.technique.name != "bits_inside";
            });
            REQUIRE(variants.size() >= 3);
            for (const Boundary boundary : {Boundary::dead, Boundary::torus})
                for (const Size size : {Size{3, 5}, Size{130, 9}, Size{4100, 170}}) {
                    Study study = study_of(trial, size, boundary, 3);
                    study.generations = trial.generations;
                    CHECK(verify(study, variants) == static_cast<int>(variants.size()));
                }
        }
}

TEST_CASE("every variant of life on cells of one bit with seven generations per launch",
          "[every_variant]") {
    const Trial trial{"life", ElementType::bits, 14, {}};
    auto variants = variants_of(trial);
    std::erase_if(variants,
                  [](const Variant* variant) { return variant->info.shape.generations != 7; });
    REQUIRE(variants.size() == 1);
    for (const Boundary boundary : {Boundary::dead, Boundary::torus})
        for (const Size size : {Size{2, 3}, Size{130, 9}, Size{1000, 33}, Size{8000, 150}}) {
            Study study = study_of(trial, size, boundary, 11);
            study.generations = trial.generations;
            CHECK(verify(study, variants) == 1);
        }
}

TEST_CASE("every variant of life on cells of one bit", "[every_variant][slow]") {
    verify_all({"life",
                ElementType::bits,
                24,
                {{1, 1}, {2, 3}, {31, 4}, {33, 17}, {64, 8}, {130, 9}, {257, 40}, {1000, 33}}});
    // Several adjacent warps, and a last word that is partly filled.
    verify_all({"life", ElementType::bits, 24, {{8000, 150}}, {11}});
}

// Rules with births from nothing and at every second count: they detect cells beyond the edge, in
// the halo and in the bits of a last word that take part by mistake.
TEST_CASE("every variant of life by other rules", "[every_variant][rules][slow]") {
    for (const char* rule : {"B36/S23", "B0246/S1357"}) {
        verify_all({"life", ElementType::uint32, 8, {{1, 1}, {33, 17}, {130, 9}}, {3}, rule});
        verify_all({"life", ElementType::uint8, 8, {{3, 5}, {33, 17}}, {3}, rule});
    }
    const std::vector<Size> sizes{{2, 3}, {33, 17}, {1000, 33}};
    verify_all({"life", ElementType::bits, 24, sizes, {3}, "B36/S23", false});
    verify_all({"life", ElementType::bits, 24, sizes, {3}, "B0246/S1357"});
}

TEST_CASE("every variant of larger_than_life", "[every_variant][larger_than_life][slow]") {
    const Trial trial{"larger_than_life", ElementType::uint8, 3, {{1, 1}, {33, 17}, {130, 9}}};
    verify_all(trial);
    const auto variants = variants_of(trial);
    for (const char* rule :
         {"R1,B3,S2..3", "R2,B7..12,S6..12", "R8,B74..120,S60..150", "R16,B300..420,S280..500"})
        for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
            Study study = study_of(trial, {33, 17}, boundary, 3);
            study.problem.parameters.set_rule(rule);
            study.generations = 2;
            CHECK(verify(study, variants) == static_cast<int>(variants.size()));
        }
}

// Strips of several warps, some of them partly beyond the board's edge, with columns that enter and
// leave at every position in a word; techniques that take the same time at every radius.
TEST_CASE("every radius of running sums and tensor cores",
          "[every_variant][larger_than_life][slow]") {
    const Trial trial{"larger_than_life", ElementType::uint8, 1, {}};
    auto variants = variants_of(trial);
    std::erase_if(variants, [](const Variant* variant) {
        const std::string_view technique = variant->info.technique.name;
        return technique != "column_sums" && technique != "tensor_cores" &&
               technique != "tensor_copies" && technique != "separable_tile";
    });
    REQUIRE(variants.size() == 12);
    for (int radius = 1; radius <= 16; ++radius) {
        const int cells = (2 * radius + 1) * (2 * radius + 1);
        const bool wide = radius == 1 || radius == 5 || radius == 16;
        // The last strip of running sums ends with a board of whole words.
        for (const Size size : {wide ? Size{1000, 77} : Size{500, 40}, Size{496, 33}}) {
            Study study = study_of(trial, size, radius % 2 ? Boundary::torus : Boundary::dead,
                                   static_cast<std::uint64_t>(radius));
            study.problem.parameters.set_rule(fmt::format("R{},B{}..{},S{}..{}", radius, cells / 4,
                                                          cells * 2 / 5, cells / 3, cells * 3 / 5));
            study.generations = trial.generations;
            CHECK(verify(study, variants) == 12);
        }
    }
}

TEST_CASE("every variant of larger_than_life on cells of one bit",
          "[every_variant][larger_than_life][slow]") {
    const Trial trial{"larger_than_life",
                      ElementType::bits,
                      2,
                      {{1, 1}, {2, 3}, {31, 4}, {33, 17}, {64, 8}, {130, 40}, {15360, 41}}};
    verify_all(trial);
    const auto variants = variants_of(trial);
    // Births from nothing, survival with few and with many live cells, and full and partly filled
    // last words.
    for (int radius = 1; radius <= 16; ++radius)
        for (const Boundary boundary : {Boundary::dead, Boundary::torus})
            for (const bool from_nothing : {false, true}) {
                const int cells = (2 * radius + 1) * (2 * radius + 1);
                const Size size = radius % 2 != 0 ? Size{256, 50} : Size{203, 50};
                Study study = study_of(trial, size, boundary, static_cast<std::uint64_t>(radius));
                study.problem.parameters.set_rule(fmt::format(
                    "R{},B{}..{},S{}..{}", radius, from_nothing ? 0 : cells / 4, cells * 2 / 5,
                    cells / 3, from_nothing ? cells - 1 : cells * 3 / 5));
                study.generations = 2;
                // global/* does not support a torus whose edge is within a word.
                const bool seam = boundary == Boundary::torus && size.columns % bits_per_word != 0;
                CHECK(verify(study, variants) == (seam ? 16 : 20));
            }
}

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
