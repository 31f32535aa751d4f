// All Life variants are clean; wrong techniques are not.
#include "harness/predict/check_variant.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/variants/wrong_techniques.hpp"
#include "workloads/life/rule.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::life_check_test {
namespace {

State random_board(Size size) {
    return find_workload("life")->initial({.size = size, .seed = 5});
}

template <class Technique>
CheckResult check_technique(int generations) {
    Registry local;
    Catalogue<Life<std::uint32_t>> catalogue(local, "life", ElementType::uint32);
    Technique::add(catalogue);
    constexpr Size size{37, 21};
    CheckResult result =
        check_variant(local.variants().front(), {size}, random_board(size), generations, 3);
    result.variant = nullptr;  // owned by the local registry
    return result;
}

// Checks all variants for one cell type that `chosen` accepts, each on all boards. Returns their
// number.
template <class Chosen>
int check_variants(ElementType cell, const Chosen& chosen) {
    static constexpr Size boards[] = {{512, 64},   {96, 48},   {1024, 64}, {8192, 32},
                                      {16384, 64}, {3968, 64}, {120, 512}, {224, 128},
                                      {240, 176},  {240, 368}, {3968, 512}};
    int checked = 0;
    for (const Variant& variant : registry().variants()) {
        if (variant.info.workload != "life" || variant.info.cell != cell ||
            !variant.factories.contains(Backend::simt) || !chosen(variant.info))
            continue;
        ++checked;
        const Region region = variant.info.regions.at(0);
        // Blocks overhang the first board and divide the second.
        const Size* divided = std::ranges::find_if(boards, [&](Size board) {
            return board.columns % region.columns == 0 && board.rows % region.rows == 0;
        });
        REQUIRE(divided != std::end(boards));
        for (const Size size : {Size{67, 19}, *divided})
            for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
                const int launch = variant.info.shape.generations;
                const int generations = size.rows < 20 ? std::max(4, launch) : launch;
                const State board =
                    find_workload("life")->initial({.size = size, .cell = cell, .seed = 5});
                const CheckResult result =
                    check_variant(variant, {size, boundary, cell}, board, generations, 1);
                INFO(describe(result));
                const bool seam_in_word = cell == ElementType::bits && size.columns % 32 != 0 &&
                                          boundary == Boundary::torus;
                if (seam_in_word && variant.info.technique.name == "global")
                    CHECK(!result.skipped.empty());
                else
                    CHECK(result.clean());
            }
    }
    return checked;
}

}  // namespace

TEST_CASE("all Life variants are clean", "[check]") {
    // bits_inside_test.cpp checks that technique on boards of its own.
    CHECK(check_variants(ElementType::uint32, [](const VariantInfo& info) {
              return info.technique.name != "bits_inside";
          }) == 84);
}

TEST_CASE("Life variants of techniques for one-byte cells are clean", "[check]") {
    CHECK(check_variants(ElementType::uint8, [](const VariantInfo& info) {
              return info.technique.name == "byte_sums";
          }) == 8);
}

TEST_CASE("Life variants on cells of one bit are clean", "[check]") {
    // Longer stretches of bit_stream and bit_pair execute the same source lines.
    const auto chosen = [](const VariantInfo& info) {
        const int rows = info.shape.region.rows;
        return info.technique.name == "bit_stream" ? rows == 64
               : info.technique.name == "bit_pair" ? rows == 128 * 4
                                                   : true;
    };
    CHECK(check_variants(ElementType::bits, chosen) > 20);
}

TEST_CASE("a cell left out is found after its launch, and where the next generation reads it",
          "[check]") {
    for (const int generations : {1, 2}) {
        const CheckResult result = check_technique<Wrong<Fault::cell_left_out>>(generations);
        std::uint64_t reads = 0;
        std::uint64_t unwritten = 0;
        for (const Finding& finding : result.findings) {
            REQUIRE_FALSE(finding.examples.empty());
            CHECK(finding.examples[0].address == "row 5, column 7 of field `cells`");
            if (finding.kind == FindingKind::unwritten_output) {
                CHECK(finding.sites == "field `cells`");
                CHECK(finding.examples[0].threads == "after generation 1");
                unwritten += finding.count;
                continue;
            }
            CHECK(finding.kind == FindingKind::unwritten_global);
            CHECK_THAT(finding.sites, contains("load at rule.hpp:"));
            reads += finding.count;
        }
        CHECK(unwritten == static_cast<std::uint64_t>(generations));
        CHECK(reads == (generations == 1 ? 0u : 9 - 1));  // the cell's own thread does nothing
    }
}

TEST_CASE("what ends a launch is a finding", "[check]") {
    const CheckResult result = check_technique<Wrong<Fault::out_of_bounds>>(1);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].kind == FindingKind::out_of_bounds);
    CHECK_THAT(result.findings[0].sentence, contains("row -2, column 4"));
}

}  // namespace camber::life_check_test
