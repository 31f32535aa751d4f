// Tests of Larger than Life alone: known patterns, golden numbers from an independent program, and
// Life as its rule of radius 1.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"
#include "workloads/core/reference.hpp"
#include "workloads/life/larger_than_life/rule.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::larger_than_life_test {

namespace {

const Workload& larger_than_life() {
    return *find_workload("larger_than_life");
}

ParameterSet by_rule(const std::string& rule) {
    return larger_than_life().parameters_for({.options = {{"rule", rule}}});
}

std::filesystem::path pattern(const std::string& name) {
    return std::filesystem::path(CAMBER_SOURCE_DIR "/workloads/life/larger_than_life/patterns") /
           (name + ".rle");
}

std::vector<std::uint8_t> cells_of(const State& state) {
    const auto cells = state.fields[0].cells<std::uint8_t>();
    return {cells.begin(), cells.end()};
}

// State after some generations of Bosco's rule on a torus, from a pattern in its middle.
std::vector<std::uint8_t> after(int generations, Size size, const std::string& name) {
    State state = larger_than_life().initial(
        {.size = size, .cell = ElementType::uint8, .input = pattern(name)});
    advance(larger_than_life(), state, {.boundary = Boundary::torus}, generations);
    return cells_of(state);
}

TEST_CASE("radius 1 with Life's rule is Life", "[larger_than_life]") {
    const Workload& life = *find_workload("life");
    for (const Boundary boundary : {Boundary::dead, Boundary::torus})
        for (const Size size : {Size{1, 1}, Size{2, 5}, Size{64, 64}, Size{131, 77}}) {
            const InitialConditions start{.size = size, .cell = ElementType::uint8, .seed = 4};
            State one = life.initial(start);
            State other = larger_than_life().initial(start);
            for (int generation = 0; generation < 60; ++generation) {
                const FinalState expected = life.final_state(one);
                const FinalState found = larger_than_life().final_state(other);
                REQUIRE(found.amount == expected.amount);
                REQUIRE(found.checksum == expected.checksum);
                advance(life, one, {boundary}, 1);
                advance(larger_than_life(), other, {boundary, by_rule("R1,B3..3,S2..3")}, 1);
            }
        }
}

TEST_CASE("Bosco is itself again after 166 generations, and not before", "[larger_than_life]") {
    const Size size{48, 44};
    const auto start = after(0, size, "bosco");
    CHECK(std::ranges::count(start, 1) == 76);
    for (int generation = 1; generation < 166; ++generation)
        REQUIRE(after(generation, size, "bosco") != start);
    CHECK(after(166, size, "bosco") == start);
}

TEST_CASE("a bug moves five rows in six generations", "[larger_than_life]") {
    const Size size{40, 60};
    const auto start = after(0, size, "bug");
    auto moved = after(6, size, "bug");
    std::ranges::rotate(moved, moved.end() - 5 * size.columns);
    CHECK(moved == start);
    // Once around the torus.
    CHECK(after(6 * 12, size, "bug") == start);
}

TEST_CASE("a majority of the complement is the complement of the majority", "[larger_than_life]") {
    const ParameterSet majority = by_rule("R4,C0,M1,S41..81,B41..81,NM");
    State state = larger_than_life().initial({.size = {70, 50}, .cell = ElementType::uint8});
    State inverse = state;
    for (std::uint8_t& cell : inverse.fields[0].cells<std::uint8_t>()) cell ^= 1;
    advance(larger_than_life(), state, {Boundary::torus, majority}, 5);
    advance(larger_than_life(), inverse, {Boundary::torus, majority}, 5);
    auto cells = cells_of(inverse);
    for (std::uint8_t& cell : cells) cell ^= 1;
    CHECK(cells == cells_of(state));
    CHECK(larger_than_life().final_state(state).amount > 0);
}

TEST_CASE("random boards evolve to the golden populations and checksums of published rules",
          "[larger_than_life]") {
    struct Golden {
        const char* rule;
        double density;
        Size size;
        int generation;
        double population;
        std::uint64_t checksum;
    };
    const char* const bosco = "R5,C0,M1,S34..58,B34..45,NM";
    const char* const majority = "R4,C0,M1,S41..81,B41..81,NM";
    const char* const globe = "R8,C0,M0,S163..223,B74..252,NM";
    const char* const bugsmovie = "R10,C0,M1,S123..212,B123..170,NM";
    const char* const widest = "R16,C0,M0,S300..600,B330..480,NM";
    const Golden golden[] = {
        {bosco, 0.5, {64, 64}, 0, 1995, 0x5818d4a347984c2a},
        {bosco, 0.5, {64, 64}, 1, 1361, 0x08a2f0407eeb9234},
        {bosco, 0.5, {64, 64}, 20, 936, 0xe8de6cf19768dee5},
        {bosco, 0.5, {213, 158}, 2, 9797, 0x8e317781b5e9d91c},
        {bosco, 0.5, {213, 158}, 20, 3499, 0x22ba958a9414068e},
        {majority, 0.5, {64, 64}, 5, 440, 0xdb368c7cee469cb5},
        {majority, 0.5, {213, 158}, 20, 7982, 0x8064ff5cdc736225},
        {globe, 0.5, {64, 64}, 1, 1979, 0x8f218190e6c01b56},
        {globe, 0.5, {213, 158}, 20, 19347, 0xe5019ea935bf6d28},
        {bugsmovie, 0.4, {64, 64}, 5, 667, 0xcb2f52f8b9421ffe},
        {bugsmovie, 0.4, {213, 158}, 20, 446, 0x8ba9f5e970933f4f},
        {widest, 0.35, {64, 64}, 20, 1314, 0x9a0036d23186076b},
        {widest, 0.35, {213, 158}, 2, 4201, 0xb482828b15e65430},
    };
    for (const Golden& expected : golden) {
        CAPTURE(expected.rule, expected.size.columns, expected.generation);
        State state = larger_than_life().initial({.size = expected.size,
                                                  .cell = ElementType::uint8,
                                                  .seed = 1,
                                                  .density = expected.density});
        advance(larger_than_life(), state, {Boundary::dead, by_rule(expected.rule), 0, 2},
                expected.generation);
        const FinalState final = larger_than_life().final_state(state);
        CHECK(final.amount == expected.population);
        CHECK(final.checksum == expected.checksum);
    }
}

TEST_CASE("the reference's sums are those of whole squares, on boards of any size",
          "[larger_than_life]") {
    for (const char* rule :
         {"R1,B3,S2..3", "R3,B10..14,S8..15", "R8,B74..120,S60..150", "R16,B300..420,S280..500"})
        for (const Boundary boundary : {Boundary::dead, Boundary::torus})
            for (const Size size :
                 {Size{1, 1}, Size{1, 9}, Size{9, 1}, Size{5, 3}, Size{33, 17}, Size{60, 41}}) {
                CAPTURE(rule, name(boundary), size.columns, size.rows);
                const State start =
                    larger_than_life().initial({.size = size, .cell = ElementType::uint8});
                const GenerationContext context{boundary, by_rule(rule), 0, 3};
                State plain = start;
                State found = start;
                reference_step<LargerThanLife>(start, plain, context);
                larger_than_life().generation(start, found, context);
                REQUIRE(cells_of(found) == cells_of(plain));
            }
}

TEST_CASE("a saved board brings its rule", "[larger_than_life]") {
    const results_test::TestFolder folder;
    const auto file = folder / "globe.rle";
    const InitialConditions start{.size = {20, 10}, .cell = ElementType::uint8};
    const State state = larger_than_life().initial(start);
    const ParameterSet globe = by_rule("R8,C0,M0,S163..223,B74..252,NM");
    larger_than_life().save(state, file, {.parameters = globe});
    InitialConditions again = start;
    again.input = file;
    CHECK(larger_than_life().parameters_for(again) == globe);
    CHECK(cells_of(larger_than_life().initial(again)) == cells_of(state));
    again.options["rule"] = "R8,S164..224,B74..252,M1";
    CHECK(larger_than_life().parameters_for(again) == globe);
    again.options["rule"] = "R7,S164..224,B74..200";
    CHECK_THROWS_WITH(larger_than_life().parameters_for(again),
                      contains("is not that of") && contains("globe.rle"));
    // Rules of a file without a rule, and of camber's patterns.
    CHECK(larger_than_life().parameters_for({.input = pattern("bug")}).rule().empty());
}

}  // namespace
}  // namespace camber::larger_than_life_test
