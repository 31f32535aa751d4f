// Every registered variant of life and larger_than_life on the SIMT executor compared with the
// reference, cell by cell, with several rules, radii and cell types.
#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/variants/every_variant.hpp"

namespace camber::every_automaton_test {

using namespace camber::every_variant;

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

}  // namespace camber::every_automaton_test
