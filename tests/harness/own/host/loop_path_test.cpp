// Iterations are distinguished whichever accesses a lane skips in them.
#include "harness/own/host/plain_launch.hpp"

#include <set>
#include <vector>

#include "tests/catch.hpp"

namespace camber::loop_path_test {
namespace {

// A for loop in the layout of an unoptimized build: the condition follows the body.
constexpr std::uintptr_t before = 0x100, body = 0x110, taken = 0x118, step = 0x120,
                         condition = 0x130, behind = 0x140;
constexpr int function = 3;

// Iterations in which a lane passes `taken`, which it does if the bit in `mask` is set.
std::vector<std::uint64_t> walk(LoopEnds& ends, unsigned mask, int trips = 4) {
    LoopPath lane;
    lane.begin();
    lane.enter(function, simt::no_site);
    lane.branch(before, function, ends);
    std::vector<std::uint64_t> seen;
    for (int i = 0; i < trips; ++i) {
        lane.branch(condition, function, ends);
        lane.branch(body, function, ends);
        if (mask >> i & 1) {
            lane.branch(taken, function, ends);
            seen.push_back(lane.iteration());
        }
        lane.branch(step, function, ends);
    }
    lane.branch(condition, function, ends);
    lane.branch(behind, function, ends);
    CHECK(lane.iteration() == 0);
    CHECK(lane.leave() == simt::no_site);
    return seen;
}

}  // namespace

TEST_CASE("a lane that leaves out an iteration agrees with the others in the rest", "[candidate]") {
    LoopEnds ends;
    const auto all = walk(ends, 0b1111);
    REQUIRE(all.size() == 4);
    CHECK(std::set(all.begin(), all.end()).size() == 4);
    const auto some = walk(ends, 0b1101);
    REQUIRE(some.size() == 3);
    CHECK(some[0] == all[0]);
    CHECK(some[1] == all[2]);
    CHECK(some[2] == all[3]);
}

TEST_CASE("the inner loop's iterations belong to the outer one's", "[candidate]") {
    // for { for { HERE } }, the inner loop at 0x20 to 0x40 in the outer one at 0x10 to 0x60.
    LoopEnds ends;
    LoopPath lane;
    lane.begin();
    lane.enter(function, simt::no_site);
    std::set<std::uint64_t> seen;
    lane.branch(0x08, function, ends);
    for (int outer = 0; outer < 3; ++outer) {
        lane.branch(0x60, function, ends);
        lane.branch(0x10, function, ends);
        for (int inner = 0; inner < 4; ++inner) {
            lane.branch(0x40, function, ends);
            lane.branch(0x20, function, ends);
            seen.insert(lane.iteration());
        }
        lane.branch(0x40, function, ends);
        lane.branch(0x50, function, ends);
    }
    CHECK(seen.size() == 12);
}

TEST_CASE("a call in a loop keeps the caller's iteration, and ends with its own loops",
          "[candidate]") {
    LoopEnds ends;
    LoopPath lane;
    lane.begin();
    lane.enter(function, simt::no_site);
    lane.branch(condition, function, ends);
    lane.branch(body, function, ends);
    const std::uint64_t outside = lane.iteration();
    lane.enter(function + 1, 7);
    CHECK(lane.iteration() == outside);
    lane.branch(0x220, function + 1, ends);
    lane.branch(0x210, function + 1, ends);
    CHECK(lane.iteration() != outside);
    // Basic blocks of other functions, which access no memory, are ignored.
    lane.branch(0x010, 99, ends);
    CHECK(lane.leave() == 7);
    CHECK(lane.iteration() == outside);
}

TEST_CASE("visits of a site are numbered from 0 on, the same for all lanes", "[candidate]") {
    simt::VisitNumbers numbers;
    CHECK(numbers.number(1, 10) == 0);
    CHECK(numbers.number(1, 20) == 1);
    CHECK(numbers.number(2, 20) == 0);
    CHECK(numbers.number(1, 10) == 0);
}

TEST_CASE("counters of visits are separate by what they count, and begin anew", "[candidate]") {
    VisitCounts counts;
    for (const std::uint32_t round : {0u, 1u}) {
        CAPTURE(round);
        for (std::uint32_t times = 0; times < 3; ++times)
            for (std::uint64_t what = 0; what < 1000; ++what) CHECK(counts[what << 32]++ == times);
        counts.clear();
    }
    SiteVisits visits;
    for (const std::uint64_t site : {5u, 6u})
        for (const std::uint32_t repeated : {0u, 1u}) {
            CAPTURE(site, repeated);
            for (std::uint32_t i = 0; i < 100; ++i) CHECK(visits.number(site, 7 * i + 3) == i);
        }
}

}  // namespace camber::loop_path_test
