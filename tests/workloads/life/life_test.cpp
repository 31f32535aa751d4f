// Tests of Life alone: known histories and golden numbers, none of them taken from a variant.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/life/rule.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::life_test {
namespace {

using Cells = std::set<std::pair<int, int>>;  // (row, column)

const Workload& life() {
    return *find_workload("life");
}

State board(Size size, ElementType cell, const Cells& live) {
    State state = life().initial({.size = size, .cell = cell, .density = 0});
    for (const auto& [row, column] : live) {
        const auto index = static_cast<std::size_t>(row) * size.columns + column;
        if (cell == ElementType::uint8)
            state.fields[0].cells<std::uint8_t>()[index] = 1;
        else
            state.fields[0].cells<std::uint32_t>()[index] = 1;
    }
    return state;
}

Cells live_cells(const State& state) {
    Cells live;
    const HostField& field = state.fields[0];
    for (int row = 0; row < field.size().rows; ++row)
        for (int column = 0; column < field.size().columns; ++column)
            if (field.cells<std::uint32_t>()[static_cast<std::size_t>(row) * field.size().columns +
                                             column] != 0)
                live.emplace(row, column);
    return live;
}

Cells after(int generations, Size size, const Cells& live, Boundary boundary = Boundary::dead) {
    State state = board(size, ElementType::uint32, live);
    advance(life(), state, {boundary}, generations);
    return live_cells(state);
}

double population(const State& state) {
    return life().final_state(state).amount;
}

}  // namespace

TEST_CASE("the hash behind random boards has its published values", "[life]") {
    CHECK(mix(1, 0) == 0x910a2dec89025cc1);
    CHECK(mix(1, 1) == 0xbeeb8da1658eec67);
}

TEST_CASE("four cells of a word follow the rule of one cell, beside any others", "[life]") {
    using Bytes = Life<std::uint8_t>;
    std::uint8_t self = 0;
    int neighbours = 0;
    // New value of a cell with `neighbours` live neighbors.
    const auto at = [&](int dcol, int drow) {
        if (dcol == 0 && drow == 0) return self;
        const int index = (drow + 1) * 3 + dcol + 1;
        return static_cast<std::uint8_t>((index > 4 ? index - 1 : index) < neighbours);
    };
    for (int place = 0; place < 4; ++place)
        for (const std::uint32_t others : {0x00000000u, 0x08080808u, 0x03030303u})
            for (neighbours = 0; neighbours <= 8; ++neighbours)
                for (self = 0; self <= 1; ++self) {
                    const int shift = 8 * place;
                    const std::uint32_t sums = (others & ~(0xffu << shift)) |
                                               static_cast<std::uint32_t>(neighbours) << shift;
                    const std::uint32_t next =
                        Bytes::next_four(sums, std::uint32_t{self} << shift, {});
                    CAPTURE(place, others, neighbours, int{self});
                    CHECK((next & 0xfefefefeu) == 0);
                    CHECK((next >> shift & 1) == Bytes::next(at, {}));
                }
}

TEST_CASE("random boards evolve to their golden populations and checksums", "[life]") {
    struct Golden {
        Size size;
        int generation;
        double population;
        std::uint64_t checksum;
    };
    const Golden golden[] = {
        {{64, 64}, 0, 1995, 0x5818d4a347984c2a},
        {{64, 64}, 1, 1221, 0x68d80441778b8834},
        {{64, 64}, 2, 1173, 0x757073e7a284e39c},
        {{64, 64}, 10, 769, 0xb083bd02f4b9a1a0},
        {{64, 64}, 100, 352, 0x570b1b8c73705f8b},
        {{463, 358}, 0, 83227, 0x302a83ed584a9efa},
        {{463, 358}, 1, 45201, 0xf898e841817de51a},
        {{463, 358}, 2, 41473, 0xa5afbfb98ad6ca6e},
        {{463, 358}, 10, 33388, 0xae302399b726e3fb},
        {{463, 358}, 100, 14217, 0x5bb0b29578363bd0},
        {{1600, 1600}, 0, 1280581, 0xa817d5e38bbeb6a2},
        {{1600, 1600}, 10, 511105, 0xa6e5bd1ed46f6a8c},
    };
    for (const ElementType cell : life().facts().cell_types)
        for (const Golden& expected : golden) {
            CAPTURE(expected.size.columns, expected.generation, info(cell).name);
            State state = life().initial({.size = expected.size, .cell = cell, .seed = 1});
            advance(life(), state, {Boundary::dead, {}, 0, 2}, expected.generation);
            const FinalState final = life().final_state(state);
            CHECK(final.amount == expected.population);
            CHECK(final.checksum == expected.checksum);
        }
}

TEST_CASE("density is the share of live cells", "[life]") {
    const auto share = [](double density) {
        return population(life().initial({.size = {400, 300}, .density = density})) / 120000;
    };
    CHECK(share(0) == 0);
    CHECK(share(1) == 1);
    CHECK(std::abs(share(0.2) - 0.2) < 0.005);
}

TEST_CASE("a blinker blinks and a glider glides into the wall", "[life]") {
    const Cells lying{{3, 2}, {3, 3}, {3, 4}};
    const Cells standing{{2, 3}, {3, 3}, {4, 3}};
    CHECK(after(1, {8, 8}, lying) == standing);
    CHECK(after(2, {8, 8}, lying) == lying);

    const Cells glider{{1, 2}, {2, 3}, {3, 1}, {3, 2}, {3, 3}};
    CHECK(after(1, {16, 16}, glider) == Cells{{2, 1}, {2, 3}, {3, 2}, {3, 3}, {4, 2}});
    CHECK(after(2, {16, 16}, glider) == Cells{{2, 3}, {3, 1}, {3, 3}, {4, 2}, {4, 3}});
    CHECK(after(3, {16, 16}, glider) == Cells{{2, 2}, {3, 3}, {3, 4}, {4, 2}, {4, 3}});
    CHECK(after(4, {16, 16}, glider) == Cells{{2, 3}, {3, 4}, {4, 2}, {4, 3}, {4, 4}});
    CHECK(after(48, {16, 16}, glider).size() == 5);
    CHECK(after(49, {16, 16}, glider).size() == 4);
    CHECK(after(50, {16, 16}, glider).size() == 3);
    const Cells block = after(51, {16, 16}, glider);
    CHECK(block.size() == 4);
    CHECK(after(60, {16, 16}, glider) == block);
}

TEST_CASE("a glider on a torus comes home after four generations per cell of the side", "[life]") {
    const Cells glider{{1, 2}, {2, 3}, {3, 1}, {3, 2}, {3, 3}};
    CHECK(after(4 * 12, {12, 12}, glider, Boundary::torus) == glider);
    CHECK(after(4 * 12, {12, 12}, glider, Boundary::dead) != glider);
}

TEST_CASE("tiny boards have the neighbours that their boundary gives them", "[life]") {
    // A single cell dies; on a torus of one cell it is its own eight neighbors and dies, too.
    CHECK(after(1, {1, 1}, {{0, 0}}).empty());
    CHECK(after(1, {1, 1}, {{0, 0}}, Boundary::torus).empty());
    // On a torus of 3x1 every cell sees its whole row three times, except itself once: one live
    // cell contributes 3 to its neighbors and 2 to itself.
    CHECK(after(1, {3, 1}, {{0, 1}}, Boundary::torus) == Cells{{0, 0}, {0, 1}, {0, 2}});
    // A row of three: the middle one has two neighbors, the ends one.
    CHECK(after(1, {3, 1}, {{0, 0}, {0, 1}, {0, 2}}) == Cells{{0, 1}});
}

TEST_CASE("cells are born at the edge of the board, not beyond it", "[life]") {
    CHECK(after(1, {8, 8}, {{0, 2}, {0, 3}, {0, 4}}) == Cells{{0, 3}, {1, 3}});
    CHECK(after(2, {8, 8}, {{0, 2}, {0, 3}, {0, 4}}).empty());
}

TEST_CASE("the R-pentomino settles to 116 cells after 1103 generations", "[life]") {
    State state = board({1024, 1024}, ElementType::uint8,
                        {{512, 513}, {512, 514}, {513, 512}, {513, 513}, {514, 513}});
    int generation = 0;
    for (const auto& [at, expected] : std::vector<std::pair<int, int>>{{1, 6},
                                                                       {2, 7},
                                                                       {3, 9},
                                                                       {4, 8},
                                                                       {5, 9},
                                                                       {10, 11},
                                                                       {50, 64},
                                                                       {100, 121},
                                                                       {200, 120},
                                                                       {500, 174},
                                                                       {1000, 156},
                                                                       {1102, 118},
                                                                       {1103, 116},
                                                                       {1200, 116}}) {
        CAPTURE(at);
        advance(life(), state, {Boundary::dead, {}, 0, 2}, at - generation);
        generation = at;
        CHECK(population(state) == expected);
    }
}

TEST_CASE("the reference gives the same result on any number of threads", "[life]") {
    for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
        State serial = life().initial({.size = {131, 77}, .seed = 5});
        State threaded = serial;
        advance(life(), serial, {boundary}, 7);
        advance(life(), threaded, {boundary, {}, 0, 5}, 7);
        CHECK(std::ranges::equal(serial.fields[0].bytes(), threaded.fields[0].bytes()));
    }
}

}  // namespace camber::life_test
