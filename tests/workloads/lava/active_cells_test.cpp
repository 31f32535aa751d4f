// Boxes and cuts of boards: by hand, by trying all cuts, and with the lava of Etna in 2006.
#include <algorithm>
#include <initializer_list>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/workloads/core/real_eruptions.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "workloads/core/ascii_grid.hpp"
#include "workloads/lava/active_cells.hpp"

namespace camber::lava::active_cells_test {

namespace {

// '#' marks an active cell.
Mask mask_of(std::initializer_list<const char*> rows) {
    Mask mask;
    for (const char* row : rows)
        for (const char* cell = row; *cell; ++cell) mask.push_back(*cell == '#');
    return mask;
}

Mask random_mask(Size size, double share, unsigned seed) {
    std::mt19937 random(seed);
    Mask mask(static_cast<std::size_t>(size.cells()));
    for (auto& cell : mask) cell = static_cast<double>(random()) < share * 4294967296.0;
    return mask;
}

std::int64_t cells(const Box& box) {
    return box.empty() ? 0 : std::int64_t{box.rows()} * box.columns();
}
std::int64_t cells(const std::vector<Part>& parts) {
    std::int64_t sum = 0;
    for (const Part& part : parts) sum += cells(part.box);
    return sum;
}

// Minimum number of cells over all single cuts and no cut, counted cell by cell.
std::int64_t fewest_by_one_cut(const Mask& mask, Size size) {
    const Box board{0, size.rows, 0, size.columns};
    std::int64_t fewest = cells(box_in(mask, size, board));
    for (int row = 1; row < size.rows; ++row)
        fewest = std::min(fewest, cells(box_in(mask, size, {0, row, 0, size.columns})) +
                                      cells(box_in(mask, size, {row, size.rows, 0, size.columns})));
    for (int column = 1; column < size.columns; ++column)
        fewest =
            std::min(fewest, cells(box_in(mask, size, {0, size.rows, 0, column})) +
                                 cells(box_in(mask, size, {0, size.rows, column, size.columns})));
    return fewest;
}

bool same(const Box& a, const Box& b) {
    return a.first_row == b.first_row && a.end_row == b.end_row &&
           a.first_column == b.first_column && a.end_column == b.end_column;
}

// Checks that parts cover the board once, and that each box is within its part, touches active
// cells on every side, and omits none.
void check_parts(const std::vector<Part>& parts, const Mask& mask, Size size) {
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column) {
            CAPTURE(row, column);
            int owners = 0;
            int covers = 0;
            for (const Part& part : parts) {
                owners += part.area.has(row, column);
                covers += part.box.has(row, column);
                if (part.box.has(row, column)) CHECK(part.area.has(row, column));
            }
            REQUIRE(owners == 1);
            REQUIRE(covers <= 1);
            if (mask[static_cast<std::size_t>(row) * size.columns + column]) REQUIRE(covers == 1);
        }
    for (const Part& part : parts) {
        const Box least = box_in(mask, size, part.area);
        CHECK(part.box.empty() == least.empty());
        if (!least.empty()) CHECK(same(part.box, least));
    }
}

}  // namespace

TEST_CASE("a ring has the eight neighbours that the board has", "[lava]") {
    CHECK(with_ring(mask_of({"#....", ".....", ".....", "...#."}), {5, 4}) ==
          mask_of({"##...", "##...", "..###", "..###"}));
    CHECK(with_ring({1}, {1, 1}) == Mask{1});
}

TEST_CASE("boxes around cells at work", "[lava]") {
    const Mask mask = mask_of({".....", ".#..#", ".....", "..#.."});
    CHECK(same(box_in(mask, {5, 4}, {0, 4, 0, 5}), {1, 4, 1, 5}));
    CHECK(same(box_in(mask, {5, 4}, {2, 4, 0, 5}), {3, 4, 2, 3}));
    CHECK(box_in(mask, {5, 4}, {0, 1, 0, 5}).empty());
}

TEST_CASE("cuts by hand", "[lava]") {
    // One box has 6 x 4 = 24 cells. Column cuts reduce this to 2 + 2, then to 2 and 1 + 1.
    const Mask corners = mask_of({"#.....", "#.....", "......", ".....#", "......", ".....#"});
    const Size size{6, 6};
    auto parts = guillotine(corners, size, 1);
    REQUIRE(parts.size() == 1);
    CHECK(same(parts[0].area, {0, 6, 0, 6}));
    CHECK(cells(parts) == 36);
    parts = guillotine(corners, size, 2);
    REQUIRE(parts.size() == 2);
    CHECK(cells(parts) == 2 + 3);
    parts = guillotine(corners, size, 3);
    REQUIRE(parts.size() == 3);
    CHECK(cells(parts) == 2 + 1 + 1);
    // No fourth cut saves a cell.
    CHECK(guillotine(corners, size, 4).size() == 3);

    const auto none = guillotine(Mask(36), size, 4);
    REQUIRE(none.size() == 1);
    CHECK(none[0].box.empty());
    CHECK(guillotine(Mask(36, 1), size, 4).size() == 1);
}

TEST_CASE("one cut is the best of all", "[lava]") {
    for (unsigned seed = 0; seed < 300; ++seed) {
        const Size size{static_cast<int>(1 + seed % 7), static_cast<int>(1 + seed / 7 % 6)};
        const Mask mask = random_mask(size, seed % 3 == 0 ? 0.08 : seed % 3 == 1 ? 0.2 : 0.5, seed);
        CAPTURE(seed, size.columns, size.rows);
        CHECK(cells(guillotine(mask, size, 2)) == fewest_by_one_cut(mask, size));
    }
}

TEST_CASE("parts own every cell once and cover all that is at work", "[lava]") {
    for (unsigned seed = 0; seed < 60; ++seed) {
        const Size size{static_cast<int>(3 + seed % 11), static_cast<int>(2 + seed / 11)};
        const Mask mask = random_mask(size, 0.12, 1000 + seed);
        std::int64_t fewer = std::numeric_limits<std::int64_t>::max();
        for (int most = 1; most <= 4; ++most) {
            CAPTURE(seed, most);
            const auto parts = guillotine(mask, size, most);
            REQUIRE(static_cast<int>(parts.size()) <= most);
            check_parts(parts, mask, size);
            CHECK(cells(parts) <= fewer);
            fewer = cells(parts);
        }
    }
}

// The event's mask has the published number of cells. The numbers of cells after cuts were counted
// by another program, cell by cell; docs/launch-sets.md contains them.
TEST_CASE("launch sets of the lava of Etna in 2006", "[lava]") {
    const AsciiGrid event = read_ascii_grid_file(etna_2006("RealEvent"));
    const Size size = event.header.size;
    Mask mask;
    for (const double value : event.values) mask.push_back(value > 0);
    CHECK(std::ranges::count(mask, 1) == 6585);
    const auto whole = guillotine(mask, size, 1);
    CHECK(same(whole[0].box, {109, 269, 61, 403}));
    CHECK(cells(whole) == 54720);
    CHECK(cells(guillotine(mask, size, 2)) == 29880);
    CHECK(cells(guillotine(mask, size, 4)) == 15896);

    const Mask set = with_ring(mask, size);
    CHECK(std::ranges::count(set, 1) == 8029);
    CHECK(cells(guillotine(set, size, 1)) == 162 * 344);
    CHECK(cells(guillotine(set, size, 2)) == 30866);
    CHECK(cells(guillotine(set, size, 4)) == 17500);
}

}  // namespace camber::lava::active_cells_test
