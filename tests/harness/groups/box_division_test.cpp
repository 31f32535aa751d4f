// Which places are at work on a box that grows, and which rows each of them has.
#include "harness/groups/box_division.hpp"

#include <utility>
#include <vector>

#include "tests/catch.hpp"

namespace camber::box_division_test {
namespace {

constexpr int board_rows = 100;

Division progressive(std::vector<int> weights, int blocks, std::vector<int> multiprocessors = {}) {
    Division division;
    division.weights = std::move(weights);
    division.start = {true, blocks, std::move(multiprocessors)};
    return division;
}
Division all(std::vector<int> weights) {
    Division division;
    division.weights = std::move(weights);
    return division;
}
// A block for each row.
std::int64_t block_a_row(Rows rows) {
    return rows.count();
}
std::vector<int> parts(const BoxDivision& division) {
    std::vector<int> rows;
    for (int place = 0; place < division.at_work(); ++place)
        rows.push_back(division.part(place).count());
    return rows;
}

using Numbers = std::vector<int>;

}  // namespace

TEST_CASE("places join when all at work are saturated", "[group][start]") {
    BoxDivision division(progressive({1, 1, 1}, 10), board_rows);
    CHECK(division.at_work() == 1);
    CHECK_FALSE(division.divide({40, 49}, 0, block_a_row));
    CHECK(parts(division) == Numbers{9});
    CHECK(division.divide({40, 50}, 1, block_a_row));
    CHECK(parts(division) == Numbers{5, 5});
    // The new one is not saturated.
    CHECK(division.divide({40, 59}, 2, block_a_row));
    CHECK(parts(division) == Numbers{10, 9});
    CHECK(division.divide({40, 60}, 3, block_a_row));
    CHECK(parts(division) == Numbers{7, 6, 7});
    // No more places are there.
    division.divide({0, 100}, 9, block_a_row);
    CHECK(parts(division) == Numbers{33, 34, 33});

    // Rows outside of the box were the first or the last place's already.
    CHECK(division.divisions() == std::vector<RowDivision>{{0, {9}, 0},
                                                           {1, {5, 5}, 5},
                                                           {2, {10, 9}, 5},
                                                           {3, {7, 6, 7}, 3 + 7},
                                                           {9, {33, 34, 33}, 28}});

    division.begin();
    CHECK(division.at_work() == 1);
    CHECK(division.divisions().empty());
}

TEST_CASE("a box that saturates several places at once has all of them", "[group][start]") {
    BoxDivision division(progressive({1, 1, 1, 1, 1}, 10), board_rows);
    division.divide({10, 49}, 7, block_a_row);
    CHECK(parts(division) == Numbers{10, 10, 9, 10});
    CHECK(division.divisions().size() == 1);
    CHECK(division.divisions().front().generation == 7);
}

TEST_CASE("a place with more multiprocessors is saturated later", "[group][start]") {
    BoxDivision division(progressive({2, 1}, 4, {6, 3}), board_rows);
    division.divide({0, 23}, 0, block_a_row);
    CHECK(parts(division) == Numbers{23});
    division.divide({0, 24}, 1, block_a_row);
    CHECK(parts(division) == Numbers{16, 8});
}

TEST_CASE("places have three rows of the box, or are fewer", "[group][start]") {
    BoxDivision division(all({1, 1, 1, 1}), board_rows);
    const std::vector<std::pair<int, Numbers>> expectations{
        {2, {2}},       {5, {5}},           {6, {3, 3}},       {8, {4, 4}},
        {9, {3, 3, 3}}, {12, {3, 3, 3, 3}}, {13, {3, 4, 3, 3}}};
    for (const auto& [rows, expected] : expectations) {
        division.divide({20, 20 + rows}, rows, block_a_row);
        CHECK(parts(division) == expected);
    }
    // However small the threshold.
    BoxDivision eager(progressive({1, 1, 1}, 1), board_rows);
    eager.divide({20, 28}, 0, block_a_row);
    CHECK(parts(eager) == Numbers{4, 4});
    // By unequal weights the smallest part counts.
    BoxDivision unequal(all({5, 1}), board_rows);
    unequal.divide({0, 12}, 0, block_a_row);
    CHECK(parts(unequal) == Numbers{12});
    unequal.divide({0, 18}, 1, block_a_row);
    CHECK(parts(unequal) == Numbers{15, 3});
}

TEST_CASE("every row of the board has one place, in the box or outside of it", "[group][start]") {
    BoxDivision division(all({1, 1, 1}), board_rows);
    CHECK(division.stripes() == std::vector<Rows>{{0, 100}, {100, 100}, {100, 100}});
    division.divide({40, 50}, 0, block_a_row);
    CHECK(division.stripes() == std::vector<Rows>{{0, 43}, {43, 47}, {47, 100}});
    CHECK(division.part(0) == Rows{40, 43});
    CHECK(division.part(2) == Rows{47, 50});
    // No cell is at work.
    BoxDivision none(all({1, 1}), board_rows);
    CHECK_FALSE(none.divide({}, 0, block_a_row));
    CHECK(none.stripes() == std::vector<Rows>{{0, 100}, {100, 100}});
    CHECK(parts(none) == Numbers{0});
}

}  // namespace camber::box_division_test
