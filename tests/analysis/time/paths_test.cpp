#include <cmath>
#include <cstdint>
#include <random>

#include "analysis/time/executed.hpp"
#include "tests/catch.hpp"

namespace camber::linear_program_test {

// Simplex method on programs with known solutions.

namespace {

using Relation = LinearProgram::Relation;

double cost_of(const LinearProgram& program, const std::vector<double>& amounts) {
    double cost = 0;
    for (std::size_t i = 0; i < amounts.size(); ++i) cost += program.costs[i] * amounts[i];
    return cost;
}

bool keeps(const LinearProgram& program, const std::vector<double>& amounts) {
    for (const double amount : amounts)
        if (amount < -1e-7) return false;
    for (const auto& condition : program.conditions) {
        double sum = 0;
        for (const auto& [amount, factor] : condition.terms) sum += factor * amounts[amount];
        if (sum > condition.bound + 1e-6) return false;
        if (condition.relation == Relation::equal && sum < condition.bound - 1e-6) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("the best mix of two products", "[time]") {
    // Maximize 3 x + 5 y for x at most 4, y at most 6 and 3 x + 2 y at most 18 (Dantzig's form).
    LinearProgram program;
    const auto x = program.add(-3);
    const auto y = program.add(-5);
    program.conditions = {{{{x, 1}}, Relation::at_most, 4},
                          {{{y, 2}}, Relation::at_most, 12},
                          {{{x, 3}, {y, 2}}, Relation::at_most, 18}};
    const auto amounts = cheapest(program);
    REQUIRE(amounts);
    CHECK((*amounts)[x] == Approx(2));
    CHECK((*amounts)[y] == Approx(6));
}

TEST_CASE("conditions that must hold exactly, and bounds below 0", "[time]") {
    LinearProgram program;
    const auto x = program.add(1);
    const auto y = program.add(2);
    program.conditions = {{{{x, 1}, {y, 1}}, Relation::equal, 10},
                          {{{x, 1}}, Relation::at_most, 7},
                          {{{y, -1}}, Relation::at_most, -2}};  // y >= 2
    const auto amounts = cheapest(program);
    REQUIRE(amounts);
    CHECK((*amounts)[x] == Approx(7));
    CHECK((*amounts)[y] == Approx(3));
    // A repeated condition changes nothing.
    program.conditions.push_back(program.conditions.front());
    CHECK(cheapest(program) == amounts);
}

TEST_CASE("what cannot be kept, and costs without end", "[time]") {
    LinearProgram program;
    const auto x = program.add(1);
    program.conditions = {{{{x, 1}}, Relation::at_most, 1}, {{{x, 1}}, Relation::equal, 2}};
    CHECK_FALSE(cheapest(program));
    LinearProgram endless;
    const auto y = endless.add(-1);
    endless.conditions = {{{{y, -1}}, Relation::at_most, 1}};
    CHECK_FALSE(cheapest(endless));
    CHECK(cheapest(LinearProgram())->empty());
}

// The steepest-column rule cycles on this example (Beale 1955).
TEST_CASE("Beale's example ends", "[time]") {
    LinearProgram program;
    for (const double cost : {-0.75, 150.0, -0.02, 6.0}) program.add(cost);
    program.conditions = {{{{0, 0.25}, {1, -60}, {2, -1.0 / 25}, {3, 9}}, Relation::at_most, 0},
                          {{{0, 0.5}, {1, -90}, {2, -1.0 / 50}, {3, 3}}, Relation::at_most, 0},
                          {{{2, 1}}, Relation::at_most, 1}};
    const auto amounts = cheapest(program);
    REQUIRE(amounts);
    CHECK(cost_of(program, *amounts) == Approx(-0.05));
}

TEST_CASE("no random amounts that keep the conditions cost less", "[time]") {
    std::mt19937 random(std::random_device{}());
    std::uniform_real_distribution<double> up_to_one(0, 1);
    for (int round = 0; round < 20; ++round) {
        LinearProgram program;
        constexpr std::size_t size = 6;
        std::vector<double> point;
        for (std::size_t i = 0; i < size; ++i) {
            program.add(up_to_one(random));
            point.push_back(up_to_one(random) < 0.5 ? 0 : 4 * up_to_one(random));
        }
        for (int c = 0; c < 4; ++c) {
            LinearProgram::Condition condition;
            double sum = 0;
            for (std::size_t i = 0; i < size; ++i) {
                condition.terms.emplace_back(i, 2 * up_to_one(random) - 1);
                sum += condition.terms.back().second * point[i];
            }
            condition.relation = c == 0 ? Relation::equal : Relation::at_most;
            condition.bound = sum;
            program.conditions.push_back(condition);
        }
        const auto amounts = cheapest(program);
        REQUIRE(amounts);
        CHECK(keeps(program, *amounts));
        CHECK(cost_of(program, *amounts) <= cost_of(program, point) + 1e-6);
    }
}

}  // namespace camber::linear_program_test

namespace camber::paths_test {
namespace {

using Blocks = std::vector<results::BasicBlock>;

results::BasicBlock block(std::vector<int> to, std::map<std::string, std::int64_t> instructions,
                          int loop = 0) {
    const bool ends = to.empty();
    return {loop, std::move(to), ends, std::move(instructions), {}};
}

// Ten instructions, then a path for the board's interior with one wide load or one for its edge
// with four, and a store.
const Blocks two_forms{block({1, 2}, {{"total", 10}, {"skippable", 4}}),
                       block({3}, {{"total", 5}, {"global_loads_16", 1}, {"memory_waits", 1}}),
                       block({3}, {{"total", 40}, {"global_loads_4", 4}, {"memory_waits", 4}}),
                       block({}, {{"total", 6}, {"global_stores_4", 1}})};

}  // namespace

TEST_CASE("the accesses tell which way warps take", "[time]") {
    const auto inside = paths_taken(two_forms, {{"global_loads_16", 1}, {"global_stores_4", 1}});
    REQUIRE(inside);
    CHECK(inside->instructions.at("total") == Approx(10 + 5 + 6));
    CHECK(inside->instructions.at("memory_waits") == Approx(1));
    CHECK(inside->most.at("total") == Approx(10 + 5 + 40 + 6));
    const auto edge = paths_taken(two_forms, {{"global_loads_4", 4}, {"global_stores_4", 1}});
    REQUIRE(edge);
    CHECK(edge->instructions.at("total") == Approx(10 + 40 + 6));
    CHECK(edge->instructions.at("memory_waits") == Approx(4));
}

TEST_CASE("warps that take different ways are mixed", "[time]") {
    const Amounts accesses{
        {"global_loads_16", 0.75}, {"global_loads_4", 1}, {"global_stores_4", 1}};
    const auto mixed = paths_taken(two_forms, accesses);
    REQUIRE(mixed);
    CHECK(mixed->instructions.at("total") == Approx(10 + 0.75 * 5 + 0.25 * 40 + 6));
    CHECK_FALSE(mixed->instructions.contains("skippable"));
}

// The interior's path computes four cells and stores them at once; the edge's path stores them one
// by one, and may skip cells.
TEST_CASE("a path whose accesses have other widths is no substitute, although it is cheaper",
          "[time]") {
    const Blocks blocks{
        block({1, 2}, {{"total", 10}}), block({3}, {{"total", 200}, {"global_stores_4", 1}}),
        block({3}, {{"total", 20}, {"global_stores_1", 1}}), block({}, {{"total", 5}})};
    const auto paths = paths_taken(blocks, {{"global_stores_4", 0.9}, {"global_stores_1", 0.1}});
    REQUIRE(paths);
    CHECK(paths->instructions.at("total") == Approx(10 + 0.9 * 200 + 0.1 * 20 + 5));
}

TEST_CASE("warps that end early make fewer accesses", "[time]") {
    Blocks blocks{block({1}, {{"total", 10}}),
                  block({}, {{"total", 20}, {"global_loads_4", 2}, {"global_stores_4", 1}})};
    blocks[0].ends = true;
    const auto paths = paths_taken(blocks, {{"global_loads_4", 1}, {"global_stores_4", 0.5}});
    REQUIRE(paths);
    CHECK(paths->instructions.at("total") == Approx(10 + 0.5 * 20));
    CHECK_FALSE(paths_taken({}, {{"global_loads_4", 2}}));
}

TEST_CASE("an access behind a predicate may be passed", "[time]") {
    Blocks blocks = two_forms;
    blocks[2].instructions = {{"total", 40}, {"shared_loads_4", 4}};
    const Amounts accesses{
        {"global_loads_16", 0.75}, {"shared_loads_4", 0.5}, {"global_stores_4", 1}};
    CHECK_FALSE(paths_taken(blocks, accesses));  // a quarter of the warps would execute one load
    blocks[2].predicated = {{"shared_loads_4", 4}};
    const auto paths = paths_taken(blocks, accesses);
    REQUIRE(paths);
    CHECK(paths->instructions.at("total") == Approx(10 + 0.75 * 5 + 0.25 * 40 + 6));
}

TEST_CASE("accesses that no way makes are not explained", "[time]") {
    CHECK_FALSE(paths_taken(two_forms, {{"global_loads_16", 1}, {"shared_loads_4", 8}}));
    CHECK_FALSE(paths_taken(two_forms, {{"global_loads_4", 30}, {"global_stores_4", 1}}));
    // The compiler has split half of the wide stores.
    const auto split = paths_taken(two_forms, {{"global_loads_16", 1}, {"global_stores_8", 1}});
    REQUIRE(split);
    CHECK(split->instructions.at("total") == Approx(10 + 5 + 6));
}

TEST_CASE("warps that all do the same are not divided between ways", "[time]") {
    // Remainder of a loop unrolled four times: three accesses make no whole iteration.
    const Blocks unrolled{block({1, 2}, {{"total", 10}}),
                          block({2}, {{"total", 9}, {"global_loads_4", 4}}),
                          block({}, {{"total", 6}, {"global_stores_4", 1}})};
    CHECK_FALSE(paths_taken(unrolled, {{"global_loads_4", 3}, {"global_stores_4", 1}}));
    const auto edge = paths_taken(unrolled, {{"global_loads_4", 3.2}, {"global_stores_4", 1}});
    REQUIRE(edge);
    CHECK(edge->instructions.at("total") == Approx(10 + 0.8 * 9 + 6));
}

TEST_CASE("a loop is gone through twice per entry at most", "[time]") {
    // Entering the loop takes ten instructions, an iteration eight.
    const Blocks blocks{block({1, 3}, {{"total", 4}}), block({2}, {{"total", 10}}),
                        block({2, 3}, {{"total", 8}, {"shared_stores_4", 1}}, 1),
                        block({}, {{"total", 6}, {"global_stores_4", 1}})};
    const auto some = paths_taken(blocks, {{"shared_stores_4", 0.5}, {"global_stores_4", 1}});
    REQUIRE(some);
    CHECK(some->instructions.at("total") == Approx(4 + 0.25 * 10 + 0.5 * 8 + 6));
    CHECK_FALSE(paths_taken(blocks, {{"shared_stores_4", 3}, {"global_stores_4", 1}}));
}

}  // namespace camber::paths_test
