// What is told of a run's cells at work, interval by interval.
#include "harness/measure/activity.hpp"

#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace activity_test {

using namespace camber;

namespace {

// Lava in the given cells of a board of 12 x 10.
State lava_in(const std::vector<std::pair<int, int>>& cells) {
    constexpr Size size{12, 10};
    State state = find_workload("magflow")->initial(
        {.size = size, .cell = ElementType::float32, .density = 0});
    for (const auto& [row, column] : cells)
        state.field("thickness").cells<float>()[static_cast<std::size_t>(row * 12 + column)] = 1;
    return state;
}

}  // namespace

TEST_CASE("intervals end at multiples of a launch, the last with the run", "[intervals]") {
    CHECK(interval_bounds(100, 4) == std::vector<int>{0, 25, 50, 75, 100});
    CHECK(interval_bounds(10, 3) == std::vector<int>{0, 3, 6, 10});
    CHECK(interval_bounds(16, 3, 4) == std::vector<int>{0, 4, 8, 16});
    CHECK(interval_bounds(8, 8, 4) == std::vector<int>{0, 4, 8});
    CHECK(interval_bounds(7, 1) == std::vector<int>{0, 7});
}

TEST_CASE("cells at work are counted, and those that boxes and lists launch", "[intervals]") {
    ActivityLog log(*find_workload("magflow"), 8, 2);
    log.enter(0, lava_in({}));
    log.enter(3, lava_in({{1, 1}}));  // no bound
    log.enter(4, lava_in({{2, 2}, {7, 9}}));
    log.enter(8, lava_in({{5, 5}}));
    REQUIRE(log.rows().size() == 3);
    CHECK(log.rows()[0].active == 0);
    CHECK(log.rows()[0].list == 0);
    CHECK(log.rows()[0].boxes == std::vector<std::int64_t>{0, 0, 0, 0});
    const results::Activity& two = log.rows()[1];
    CHECK(two.generation == 4);
    CHECK(two.active == 2);
    CHECK(two.list == 18);
    // One box has rows 1 to 8 and columns 1 to 10; two have the rings alone.
    CHECK(two.boxes == std::vector<std::int64_t>{80, 18, 18, 18});
    CHECK(log.rows()[2].boxes.front() == 9);
}

TEST_CASE("workloads without lava keep no such log", "[intervals]") {
    const Workload& life = *find_workload("life");
    ActivityLog log(life, 4, 2);
    log.enter(0, life.initial({.size = {8, 8}}));
    CHECK(log.rows().empty());
}

}  // namespace activity_test
