// Rules of births and survivals: text form and known histories.
#include <set>
#include <string>
#include <utility>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "workloads/life/birth_survival.hpp"
#include "workloads/life/bits.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::life_rules_test {
namespace {

using Cells = std::set<std::pair<int, int>>;  // (row, column)

const Workload& life() {
    return *find_workload("life");
}

ParameterSet parameters(const std::string& rule) {
    return life().parameters_for({.size = {1, 1}, .options = {{"rule", rule}}});
}

// State on a board of 60x60.
Cells after(int generations, const std::string& rule, const Cells& live,
            Boundary boundary = Boundary::dead) {
    constexpr int side = 60;
    State state = life().initial({.size = {side, side}, .density = 0});
    const auto cells = [&] { return state.fields[0].cells<std::uint32_t>(); };
    for (const auto& [row, column] : live) cells()[row * side + column] = 1;
    advance(life(), state, {boundary, parameters(rule)}, generations);
    Cells found;
    for (int i = 0; i < side * side; ++i)
        if (cells()[i] != 0) found.emplace(i / side, i % side);
    return found;
}

Cells moved(const Cells& cells, int rows, int columns) {
    Cells result;
    for (const auto& [row, column] : cells) result.emplace(row + rows, column + columns);
    return result;
}

Cells all(const Cells& one, const Cells& other) {
    Cells result = one;
    result.insert(other.begin(), other.end());
    return result;
}

}  // namespace

TEST_CASE("rules are read in the spellings of other programs", "[life][rules]") {
    for (const char* text : {"B36/S23", "b36/s23", "B36S23", "B63/S32", "23/36", " B36 / S23 "})
        CHECK(birth_survival(text, "").name() == "B36/S23");
    CHECK(birth_survival("B2/S", "").name() == "B2/S");
    CHECK(birth_survival("/2", "").name() == "B2/S");
    CHECK(birth_survival("B/S012345678", "").name() == "B/S012345678");
    CHECK(birth_survival("life", "") == conway);
    CHECK(birth_survival("B3/S23", "") == conway);
    CHECK(parameters("b3s23").rule().empty());
    CHECK(parameters("b36s23").rule() == "B36/S23");
}

TEST_CASE("what is no rule is named with the remedy", "[life][rules]") {
    const auto sentence = [](const std::string& rule) -> std::string {
        try {
            parameters(rule);
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::usage);
            return error.what();
        }
        return "none";
    };
    CHECK(sentence("B9/S23") ==
          "rule 'B9/S23' counts nine neighbours, and a cell has eight: write births and "
          "survivals such as B36/S23");
    CHECK(sentence("B3") ==
          "rule 'B3' does not say who survives: write births and survivals "
          "such as B36/S23");
    for (const char* rule : {"3", "R5,B34..45,S33..57", "B3/S2-a3", "S23/B3", "B3/S23/4"}) {
        CAPTURE(rule);
        CHECK_THAT(sentence(rule), contains("is no rule of this family: write births"));
    }
}

// HighLife's replicator (N. Thompson 1994): after 12 generations there are two copies along a
// diagonal; after 24 more generations, the two copies in the middle have met and canceled each
// other.
TEST_CASE("the replicator of HighLife copies itself in 12 generations", "[life][rules]") {
    const Cells replicator = moved({{0, 2},
                                    {0, 3},
                                    {0, 4},
                                    {1, 1},
                                    {1, 4},
                                    {2, 0},
                                    {2, 4},
                                    {3, 0},
                                    {3, 3},
                                    {4, 0},
                                    {4, 1},
                                    {4, 2}},
                                   28, 28);
    const Cells two = after(12, "B36/S23", replicator);
    CHECK(two.size() == 2 * replicator.size());
    const Cells up = moved(replicator, -2, -2);
    const Cells down = moved(replicator, 2, 2);
    const Cells left = moved(replicator, 2, -2);
    const Cells right = moved(replicator, -2, 2);
    CHECK((two == all(up, down) || two == all(left, right)));
}

// A rule that is invariant under exchange of live and dead cells (N. Thompson 1997).
TEST_CASE("Day & Night treats live and dead cells alike", "[life][rules]") {
    const std::string rule = "B3678/S34678";
    const Cells some{{20, 20}, {20, 21}, {20, 22}, {21, 20}, {22, 21},
                     {23, 23}, {24, 23}, {24, 24}, {25, 22}, {25, 23}};
    const auto complement = [](const Cells& cells) {
        Cells others;
        for (int row = 0; row < 60; ++row)
            for (int column = 0; column < 60; ++column)
                if (!cells.contains({row, column})) others.emplace(row, column);
        return others;
    };
    for (const int generations : {1, 2, 7}) {
        const Cells expected = after(generations, rule, some, Boundary::torus);
        CHECK_FALSE(expected.empty());
        CHECK(after(generations, rule, complement(some), Boundary::torus) == complement(expected));
    }
}

// Two adjacent cells (B. Silverman's Seeds): neither survives, and a cell beside the pair's edge
// has both as neighbors.
TEST_CASE("Seeds grow from a pair, and none lives twice", "[life][rules]") {
    const Cells pair{{30, 30}, {30, 31}};
    const Cells first = after(1, "B2/S", pair);
    CHECK(first == Cells{{29, 30}, {29, 31}, {31, 30}, {31, 31}});
    CHECK(after(2, "B2/S", pair) ==
          Cells{{28, 30}, {28, 31}, {30, 29}, {30, 32}, {32, 30}, {32, 31}});
}

TEST_CASE("births from nothing fill a board and leave its edge dead", "[life][rules]") {
    const Cells one = after(1, "B0/S", {});
    CHECK(one.size() == 60 * 60);
    CHECK(after(2, "B0/S", {}).empty());
    // If cells with eight neighbors survive, only the edge dies.
    CHECK(after(2, "B0/S8", {}).size() == 58 * 58);
    CHECK(after(2, "B0/S8", {}, Boundary::torus).size() == 60 * 60);
}

TEST_CASE("words and bytes follow any rule in every neighbourhood", "[life][rules][bits]") {
    using Bits = LifeLikeBits<1>;
    for (const char* rule : {"B36/S23", "B0/S", "B012345678/S012345678", "B/S8", "B1357/S02468"}) {
        const ParameterSet set = parameters(rule);
        const Bits::Parameters words = Bits::parameters(set);
        const auto bytes = LifeLike<std::uint8_t>::parameters(set);
        for (unsigned neighbourhood = 0; neighbourhood < 512; ++neighbourhood) {
            const auto at = [&](int column, int row) -> unsigned {
                return neighbourhood >> (3 * (row + 1) + column + 1) & 1;
            };
            unsigned neighbours = 0;
            for (int i = 0; i < 9; ++i) neighbours += i == 4 ? 0 : neighbourhood >> i & 1;
            const bool expected =
                birth_survival(rule, "").lives(at(0, 0) != 0, static_cast<int>(neighbours));
            CAPTURE(rule, neighbourhood);
            CHECK((LifeLike<std::uint32_t>::next(at, {bytes.table}) == 1) == expected);
            // The tested cell is bit 31 of a word; its neighbors are in the next word.
            const auto word = [&](int column, int row) -> std::uint32_t {
                if (column == 0) return at(-1, row) << 30 | at(0, row) << 31;
                return column == 1 ? at(1, row) : 0;
            };
            CHECK((Bits::next(word, words) >> 31 == 1) == expected);
            for (int shift = 0; shift < 32; shift += 8)
                CHECK((LifeLike<std::uint8_t>::next_four(neighbours << shift, at(0, 0) << shift,
                                                         bytes) >>
                           shift &
                       0xff) == expected);
        }
    }
}

}  // namespace camber::life_rules_test
