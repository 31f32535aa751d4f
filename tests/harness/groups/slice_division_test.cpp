// Which slices places have, where those lie that a place holds, and what moves between places.
#include "harness/groups/slice_division.hpp"

#include <stdexcept>
#include <tuple>

#include "tests/catch.hpp"

namespace camber::slice_division_test {
namespace {

using Counts = std::vector<std::int64_t>;
using Slices = std::vector<Rows>;

std::vector<std::tuple<int, int, int, int>> flat(const std::vector<SliceMove>& moves) {
    std::vector<std::tuple<int, int, int, int>> all;
    for (const SliceMove& move : moves)
        all.emplace_back(move.from, move.to, move.slices.first, move.slices.end);
    return all;
}

}  // namespace

TEST_CASE("slices are divided by their elements and weights", "[group][slices]") {
    CHECK(divided_slices(Counts{1, 1, 1, 1}, std::vector{1, 1}) == Slices{{0, 2}, {2, 4}});
    CHECK(divided_slices(Counts{9, 1, 1, 1, 1, 1}, std::vector{1, 1}) == Slices{{0, 1}, {1, 6}});
    CHECK(divided_slices(Counts{1, 1, 1, 1, 1, 9}, std::vector{1, 1}) == Slices{{0, 5}, {5, 6}});
    CHECK(divided_slices(Counts{2, 2, 2, 2, 2, 2}, std::vector{2, 1}) == Slices{{0, 4}, {4, 6}});
    CHECK(divided_slices(Counts{5}, std::vector{3}) == Slices{{0, 1}});
    // One each, however unequal, and empty ones too.
    CHECK(divided_slices(Counts{100, 0, 0}, std::vector{1, 1, 1}) ==
          Slices{{0, 1}, {1, 2}, {2, 3}});
    CHECK(divided_slices(Counts{0, 0, 100, 0}, std::vector{1, 1}).back().end == 4);
    CHECK_THROWS_AS(divided_slices(Counts{1}, std::vector{1, 1}), std::logic_error);
}

TEST_CASE("a place holds its slices and one on each side", "[group][slices]") {
    const Counts counts{3, 5, 0, 7, 2};
    const SliceLayout middle(counts, {1, 3});
    CHECK(middle.held() == Rows{0, 4});
    CHECK(middle.count() == 15);
    CHECK(middle.elements_of({0, 1}) == Rows{29, 32});  // 29 unused: its own begin at 32
    CHECK(middle.elements_of({1, 3}) == Rows{32, 37});
    CHECK(middle.elements_of({2, 3}) == Rows{37, 37});
    CHECK(middle.elements_of({3, 4}) == Rows{37, 44});
    const SliceLayout behind_a_warp(std::vector<std::int64_t>{32, 4}, {1, 2});
    CHECK(behind_a_warp.elements_of({0, 2}) == Rows{0, 36});
    const SliceLayout whole(counts, {0, 5});
    CHECK(whole.held() == Rows{0, 5});
    CHECK(whole.count() == 17);
    CHECK(whole.elements_of({0, 5}) == Rows{0, 17});
    CHECK_THROWS_AS(middle.elements_of({3, 5}), std::logic_error);
}

TEST_CASE("places get the slices that they hold and did not have", "[group][slices]") {
    using Moves = std::vector<std::tuple<int, int, int, int>>;
    const Slices had{{0, 2}, {2, 4}, {4, 6}};
    CHECK(flat(slice_moves(had, had)) ==
          Moves{{1, 0, 2, 3}, {0, 1, 1, 2}, {2, 1, 4, 5}, {1, 2, 3, 4}});
    // The first gives one to the last, and the one between passes one on.
    CHECK(flat(slice_moves(had, {{0, 1}, {1, 3}, {3, 6}})) == Moves{{0, 1, 0, 2}, {1, 2, 2, 4}});
    // A place of one slice holds two of others.
    CHECK(flat(slice_moves({{0, 1}, {1, 2}, {2, 3}}, {{0, 1}, {1, 2}, {2, 3}})) ==
          Moves{{1, 0, 1, 2}, {0, 1, 0, 1}, {2, 1, 2, 3}, {1, 2, 1, 2}});
    // A place takes a slice from one neighbour, and what lies beside it from the next.
    CHECK(flat(slice_moves({{0, 2}, {2, 3}, {3, 6}}, {{0, 3}, {3, 4}, {4, 6}})) ==
          Moves{{1, 0, 2, 3}, {2, 0, 3, 4}, {2, 1, 3, 5}});
    CHECK(slice_moves({{0, 4}}, {{0, 4}}).empty());
}

}  // namespace camber::slice_division_test
