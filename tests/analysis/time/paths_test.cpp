#include "analysis/time/paths.hpp"

#include "tests/catch.hpp"

namespace camber::paths_test {
namespace {

using Blocks = std::vector<results::BasicBlock>;

results::BasicBlock block(std::vector<int> to, std::map<std::string, std::int64_t> instructions,
                          int loop = 0) {
    const bool ends = to.empty();
    return {loop, std::move(to), ends, std::move(instructions), {}};
}

// Ten instructions, then a way for the board's inside with one wide load or one for its edge with
// four, and a store.
const Blocks two_forms{block({1, 2}, {{"total", 10}, {"skippable", 4}}),
                       block({3}, {{"total", 5}, {"global_loads_16", 1}, {"memory_waits", 1}}),
                       block({3}, {{"total", 40}, {"global_loads_4", 4}, {"memory_waits", 4}}),
                       block({}, {{"total", 6}, {"global_stores_4", 1}})};

}  // namespace

TEST_CASE("the accesses tell which way warps take", "[time]") {
    const auto inside = paths_taken(two_forms, {{"global_loads_16", 1}, {"global_stores_4", 1}});
    REQUIRE(inside);
    CHECK(inside->usual.at("total") == Approx(10 + 5 + 6));
    CHECK(inside->usual.at("memory_waits") == Approx(1));
    CHECK(inside->most.at("total") == Approx(10 + 5 + 40 + 6));
    CHECK(inside->high == Approx(10 + 4 + 5 + 6));
    const auto edge = paths_taken(two_forms, {{"global_loads_4", 4}, {"global_stores_4", 1}});
    REQUIRE(edge);
    CHECK(edge->usual.at("total") == Approx(10 + 40 + 6));
    CHECK(edge->usual.at("memory_waits") == Approx(4));
}

TEST_CASE("warps that take different ways are mixed", "[time]") {
    const Amounts accesses{
        {"global_loads_16", 0.75}, {"global_loads_4", 1}, {"global_stores_4", 1}};
    const auto mixed = paths_taken(two_forms, accesses);
    REQUIRE(mixed);
    CHECK(mixed->usual.at("total") == Approx(10 + 0.75 * 5 + 0.25 * 40 + 6));
    CHECK_FALSE(mixed->usual.contains("skippable"));
}

TEST_CASE("warps that end early make fewer accesses", "[time]") {
    Blocks blocks{block({1}, {{"total", 10}}),
                  block({}, {{"total", 20}, {"global_loads_4", 2}, {"global_stores_4", 1}})};
    blocks[0].ends = true;
    const auto paths = paths_taken(blocks, {{"global_loads_4", 1}, {"global_stores_4", 0.5}});
    REQUIRE(paths);
    CHECK(paths->usual.at("total") == Approx(10 + 0.5 * 20));
    // If all accesses of the code are made, they do not distinguish paths.
    CHECK_FALSE(paths_taken(blocks, {{"global_loads_4", 2}, {"global_stores_4", 1}}));
    CHECK_FALSE(paths_taken({}, {{"global_loads_4", 2}}));
}

TEST_CASE("an access behind a predicate may be passed", "[time]") {
    Blocks blocks = two_forms;
    blocks[2].instructions = {{"total", 40}, {"shared_loads_4", 4}};
    const Amounts accesses{
        {"global_loads_16", 0.75}, {"shared_loads_4", 0.5}, {"global_stores_4", 1}};
    CHECK_FALSE(paths_taken(blocks, accesses));  // a quarter of the warps would make one load
    blocks[2].predicated = {{"shared_loads_4", 4}};
    const auto paths = paths_taken(blocks, accesses);
    REQUIRE(paths);
    CHECK(paths->usual.at("total") == Approx(10 + 0.75 * 5 + 0.25 * 40 + 6));
}

TEST_CASE("accesses that no way makes are not explained", "[time]") {
    CHECK_FALSE(paths_taken(two_forms, {{"global_loads_16", 1}, {"shared_loads_4", 8}}));
    CHECK_FALSE(paths_taken(two_forms, {{"global_loads_4", 30}, {"global_stores_4", 1}}));
    // The compiler has split half of a wide store.
    const auto split = paths_taken(two_forms, {{"global_loads_16", 1}, {"global_stores_8", 1}});
    REQUIRE(split);
    CHECK(split->usual.at("total") == Approx(10 + 5 + 6));
}

TEST_CASE("warps that all do the same are not divided between ways", "[time]") {
    // Remainder of a loop unrolled four times: three accesses make no whole iteration.
    const Blocks unrolled{block({1, 2}, {{"total", 10}}),
                          block({2}, {{"total", 9}, {"global_loads_4", 4}}),
                          block({}, {{"total", 6}, {"global_stores_4", 1}})};
    CHECK_FALSE(paths_taken(unrolled, {{"global_loads_4", 3}, {"global_stores_4", 1}}));
    const auto edge = paths_taken(unrolled, {{"global_loads_4", 3.2}, {"global_stores_4", 1}});
    REQUIRE(edge);
    CHECK(edge->usual.at("total") == Approx(10 + 0.8 * 9 + 6));
}

TEST_CASE("a loop is gone through twice per entry at most", "[time]") {
    // Entering the loop takes ten instructions, an iteration eight.
    const Blocks blocks{block({1, 3}, {{"total", 4}}), block({2}, {{"total", 10}}),
                        block({2, 3}, {{"total", 8}, {"shared_stores_4", 1}}, 1),
                        block({}, {{"total", 6}, {"global_stores_4", 1}})};
    const auto half = paths_taken(blocks, {{"shared_stores_4", 1}, {"global_stores_4", 1}});
    REQUIRE_FALSE(half);  // all is gone through
    const auto some = paths_taken(blocks, {{"shared_stores_4", 0.5}, {"global_stores_4", 1}});
    REQUIRE(some);
    CHECK(some->usual.at("total") == Approx(4 + 0.25 * 10 + 0.5 * 8 + 6));
    CHECK_FALSE(paths_taken(blocks, {{"shared_stores_4", 3}, {"global_stores_4", 1}}));
}

}  // namespace camber::paths_test
