// Partition of rows, of a growing box and of slices among devices.
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/groups/partition.hpp"
#include "tests/catch.hpp"

namespace camber::balancer_test {

// Movement of rows between devices with fixed costs per row: final divisions of the published and
// the improved rule

namespace {

using Costs = std::vector<double>;
using Ends = std::vector<int>;

Costs repeated(const std::vector<std::pair<int, double>>& runs) {
    Costs costs;
    for (const auto& [count, cost] : runs) costs.insert(costs.end(), count, cost);
    return costs;
}
const Costs heavy_end = repeated({{60, 1.0}, {20, 3.0}});
const Costs three_kinds = repeated({{20, 2.0}, {40, 1.0}, {30, 0.5}});

std::vector<double> times_of(const Costs& costs, const std::vector<Rows>& stripes) {
    std::vector<double> times;
    for (const Rows& rows : stripes)
        times.push_back(std::accumulate(costs.begin() + rows.first, costs.begin() + rows.end, 0.0));
    return times;
}

Ends ends_of(const std::vector<Rows>& stripes) {
    Ends ends;
    for (const Rows& rows : stripes) ends.push_back(rows.end);
    return ends;
}

// Starts with shares that are rounded down, as the golden values do.
std::vector<Rows> equal_shares(int rows, int places) {
    std::vector<Rows> stripes;
    for (int place = 0; place < places; ++place)
        stripes.push_back({place * rows / places, (place + 1) * rows / places});
    return stripes;
}

struct End {
    Ends ends;
    int moves = 0;
    bool rests = false;
};

End balanced(const Costs& costs, int places, const Balancing& balancing, int fewest = 1,
             BalanceThreshold threshold = {}) {
    constexpr int rounds = 400;
    Balancer balancer(balancing, fewest, threshold);
    std::vector<Rows> stripes = equal_shares(static_cast<int>(costs.size()), places);
    End end;
    for (int round = 0; round < rounds && !end.rests; ++round) {
        const auto next = balancer.divided_anew(stripes, times_of(costs, stripes));
        end.rests = next == stripes;
        if (!end.rests) ++end.moves;
        stripes = next;
    }
    end.ends = ends_of(stripes);
    return end;
}

double largest(const Costs& costs, const Ends& ends) {
    std::vector<Rows> stripes;
    int first = 0;
    for (const int end : ends) {
        stripes.push_back({first, end});
        first = end;
    }
    return std::ranges::max(times_of(costs, stripes));
}

constexpr Balancing published{BalanceRule::published, 10, 1};
constexpr Balancing improved{BalanceRule::improved, 10, 1};

}  // namespace

TEST_CASE("the published rule of balancing ends where it did", "[portable][group][balance]") {
    struct Golden {
        const Costs* costs;
        int places;
        Ends ends;
        int moves;
    };
    for (const auto& [costs, places, ends, moves] :
         std::vector<Golden>{{&heavy_end, 2, {60, 80}, 20},
                             {&heavy_end, 4, {30, 60, 70, 80}, 24},
                             {&heavy_end, 5, {24, 48, 64, 72, 80}, 24},
                             {&three_kinds, 2, {28, 90}, 17},
                             {&three_kinds, 3, {16, 44, 90}, 18},
                             {&three_kinds, 4, {12, 28, 52, 90}, 21},
                             {&three_kinds, 6, {8, 16, 28, 44, 60, 90}, 25}}) {
        CAPTURE(places);
        const End end = balanced(*costs, places, published);
        CHECK(end.rests);
        CHECK(end.ends == ends);
        CHECK(end.moves == moves);
    }
    // Oscillates forever.
    CHECK_FALSE(balanced(heavy_end, 3, published).rests);
    CHECK_FALSE(balanced(three_kinds, 5, published).rests);
    const End stuck = balanced(heavy_end, 6, published);
    CHECK_FALSE(stuck.rests);
    CHECK(largest(heavy_end, stuck.ends) == 33);
}

TEST_CASE("the improved rule of balancing comes to rest", "[portable][group][balance]") {
    for (const Costs* const costs : {&heavy_end, &three_kinds})
        for (int places = 2; places <= 6; ++places) {
            CAPTURE(places, costs->size());
            const End end = balanced(*costs, places, improved);
            CHECK(end.rests);
            CHECK(end.moves < 40);
            const End other = balanced(*costs, places, published);
            CHECK(largest(*costs, end.ends) <= largest(*costs, other.ends));
        }
    CHECK(largest(heavy_end, balanced(heavy_end, 6, improved).ends) == 21);
    CHECK(balanced(heavy_end, 3, improved).ends == Ends{40, 67, 80});
}

TEST_CASE("an adaptive threshold rarely lets rows move back, wherever it begins",
          "[portable][group][balance]") {
    for (const Costs* const costs : {&heavy_end, &three_kinds})
        for (int places = 2; places <= 6; ++places)
            for (const double share : {0.1, 0.5}) {
                CAPTURE(places, costs->size(), share);
                const End end = balanced(*costs, places, published, 1, {share, true});
                CHECK(end.moves < 45);
                const End other = balanced(*costs, places, improved);
                // At most one row worse; a row costs up to 3.
                CHECK(largest(*costs, end.ends) <= largest(*costs, other.ends) + 3);
            }
}

TEST_CASE("a threshold above the imbalance moves nothing", "[portable][group][balance]") {
    const End some = balanced(heavy_end, 2, published, 1, {5});
    CHECK(some.moves > 0);
    CHECK(some.moves < 20);
    CHECK(some.rests);
    CHECK(balanced(heavy_end, 2, published, 1, {1000}).moves == 0);
    // Below the published threshold, rows can move to and fro where they come to rest with it.
    CHECK(balanced(three_kinds, 2, published).rests);
    CHECK_FALSE(balanced(three_kinds, 2, published, 1, {0.1}).rests);
}

TEST_CASE("places keep the rows that their neighbours need", "[portable][group][balance]") {
    for (const Balancing& rule : {published, improved}) {
        const End end = balanced(repeated({{1, 1000.0}, {19, 1.0}}), 2, rule, 3);
        CHECK(end.ends == Ends{3, 20});
        CHECK(end.rests);
    }
}

TEST_CASE("several rows may change their place at once", "[portable][group][balance]") {
    const Costs costs = repeated({{600, 1.0}, {200, 3.0}});
    const End end = balanced(costs, 2, {BalanceRule::improved, 10, 10});
    CHECK(end.ends == Ends{600, 800});
    CHECK(end.moves == 20);
}

}  // namespace camber::balancer_test

namespace camber::box_division_test {

// Active devices on a growing box, and their rows

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
// One block per row.
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

TEST_CASE("places join when all at work are saturated", "[portable][group][start]") {
    BoxDivision division(progressive({1, 1, 1}, 10), board_rows);
    CHECK(division.at_work() == 1);
    CHECK_FALSE(division.divide({40, 49}, 0, block_a_row));
    CHECK(parts(division) == Numbers{9});
    CHECK(division.divide({40, 50}, 1, block_a_row));
    CHECK(parts(division) == Numbers{5, 5});
    // The new device is not saturated.
    CHECK(division.divide({40, 59}, 2, block_a_row));
    CHECK(parts(division) == Numbers{10, 9});
    CHECK(division.divide({40, 60}, 3, block_a_row));
    CHECK(parts(division) == Numbers{7, 6, 7});
    // No more devices exist.
    division.divide({0, 100}, 9, block_a_row);
    CHECK(parts(division) == Numbers{33, 34, 33});

    // Rows outside the box already belonged to the first or the last device.
    CHECK(division.divisions() == std::vector<RowDivision>{{0, {9}, 0},
                                                           {1, {5, 5}, 5},
                                                           {2, {10, 9}, 5},
                                                           {3, {7, 6, 7}, 3 + 7},
                                                           {9, {33, 34, 33}, 28}});

    division.begin();
    CHECK(division.at_work() == 1);
    CHECK(division.divisions().empty());
}

TEST_CASE("a box that saturates several places at once has all of them",
          "[portable][group][start]") {
    BoxDivision division(progressive({1, 1, 1, 1, 1}, 10), board_rows);
    division.divide({10, 49}, 7, block_a_row);
    CHECK(parts(division) == Numbers{10, 10, 9, 10});
    CHECK(division.divisions().size() == 1);
    CHECK(division.divisions().front().generation == 7);
}

TEST_CASE("a place with more multiprocessors is saturated later", "[portable][group][start]") {
    BoxDivision division(progressive({2, 1}, 4, {6, 3}), board_rows);
    division.divide({0, 23}, 0, block_a_row);
    CHECK(parts(division) == Numbers{23});
    division.divide({0, 24}, 1, block_a_row);
    CHECK(parts(division) == Numbers{16, 8});
}

TEST_CASE("places have three rows of the box, or are fewer", "[portable][group][start]") {
    BoxDivision division(all({1, 1, 1, 1}), board_rows);
    const std::vector<std::pair<int, Numbers>> expectations{
        {2, {2}},       {5, {5}},           {6, {3, 3}},       {8, {4, 4}},
        {9, {3, 3, 3}}, {12, {3, 3, 3, 3}}, {13, {3, 4, 3, 3}}};
    for (const auto& [rows, expected] : expectations) {
        division.divide({20, 20 + rows}, rows, block_a_row);
        CHECK(parts(division) == expected);
    }
    // Applies for any threshold, however small.
    BoxDivision eager(progressive({1, 1, 1}, 1), board_rows);
    eager.divide({20, 28}, 0, block_a_row);
    CHECK(parts(eager) == Numbers{4, 4});
    // With unequal weights, the smallest part decides.
    BoxDivision unequal(all({5, 1}), board_rows);
    unequal.divide({0, 12}, 0, block_a_row);
    CHECK(parts(unequal) == Numbers{12});
    unequal.divide({0, 18}, 1, block_a_row);
    CHECK(parts(unequal) == Numbers{15, 3});
}

TEST_CASE("every row of the board has one place, in the box or outside of it",
          "[portable][group][start]") {
    BoxDivision division(all({1, 1, 1}), board_rows);
    CHECK(division.stripes() == std::vector<Rows>{{0, 100}, {100, 100}, {100, 100}});
    division.divide({40, 50}, 0, block_a_row);
    CHECK(division.stripes() == std::vector<Rows>{{0, 43}, {43, 47}, {47, 100}});
    CHECK(division.part(0) == Rows{40, 43});
    CHECK(division.part(2) == Rows{47, 50});
    // No cell is active.
    BoxDivision none(all({1, 1}), board_rows);
    CHECK_FALSE(none.divide({}, 0, block_a_row));
    CHECK(none.stripes() == std::vector<Rows>{{0, 100}, {100, 100}});
    CHECK(parts(none) == Numbers{0});
}

}  // namespace camber::box_division_test

namespace camber::slice_division_test {

// Slices of devices, their memory layout, and their movement between devices

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

TEST_CASE("slices are divided by their elements and weights", "[portable][group][slices]") {
    CHECK(divided_slices(Counts{1, 1, 1, 1}, std::vector{1, 1}) == Slices{{0, 2}, {2, 4}});
    CHECK(divided_slices(Counts{9, 1, 1, 1, 1, 1}, std::vector{1, 1}) == Slices{{0, 1}, {1, 6}});
    CHECK(divided_slices(Counts{1, 1, 1, 1, 1, 9}, std::vector{1, 1}) == Slices{{0, 5}, {5, 6}});
    CHECK(divided_slices(Counts{2, 2, 2, 2, 2, 2}, std::vector{2, 1}) == Slices{{0, 4}, {4, 6}});
    CHECK(divided_slices(Counts{5}, std::vector{3}) == Slices{{0, 1}});
    // One slice each, however unequal or empty.
    CHECK(divided_slices(Counts{100, 0, 0}, std::vector{1, 1, 1}) ==
          Slices{{0, 1}, {1, 2}, {2, 3}});
    CHECK(divided_slices(Counts{0, 0, 100, 0}, std::vector{1, 1}).back().end == 4);
    CHECK_THROWS_AS(divided_slices(Counts{1}, std::vector{1, 1}), std::logic_error);
}

TEST_CASE("a place holds its slices and one on each side", "[portable][group][slices]") {
    const Counts counts{3, 5, 0, 7, 2};
    const SliceLayout middle(counts, {1, 3});
    CHECK(middle.held() == Rows{0, 4});
    CHECK(middle.count() == 15);
    // 29 unused: the device's own slices begin at 32.
    CHECK(middle.elements_of({0, 1}) == Rows{29, 32});
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

TEST_CASE("places get the slices that they hold and did not have", "[portable][group][slices]") {
    using Moves = std::vector<std::tuple<int, int, int, int>>;
    const Slices had{{0, 2}, {2, 4}, {4, 6}};
    CHECK(flat(slice_moves(had, had)) ==
          Moves{{1, 0, 2, 3}, {0, 1, 1, 2}, {2, 1, 4, 5}, {1, 2, 3, 4}});
    // The first device gives one slice to the last, and the one in between passes one on.
    CHECK(flat(slice_moves(had, {{0, 1}, {1, 3}, {3, 6}})) == Moves{{0, 1, 0, 2}, {1, 2, 2, 4}});
    // A device with one slice stores two slices of others.
    CHECK(flat(slice_moves({{0, 1}, {1, 2}, {2, 3}}, {{0, 1}, {1, 2}, {2, 3}})) ==
          Moves{{1, 0, 1, 2}, {0, 1, 0, 1}, {2, 1, 2, 3}, {1, 2, 1, 2}});
    // A device takes a slice from one neighbor, and the adjacent slice from the next.
    CHECK(flat(slice_moves({{0, 2}, {2, 3}, {3, 6}}, {{0, 3}, {3, 4}, {4, 6}})) ==
          Moves{{1, 0, 2, 3}, {2, 0, 3, 4}, {2, 1, 3, 5}});
    CHECK(slice_moves({{0, 4}}, {{0, 4}}).empty());
}

}  // namespace camber::slice_division_test
