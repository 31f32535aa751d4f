// The simplex method, on programs whose answers are known.
#include "analysis/time/linear_program.hpp"

#include <cmath>
#include <cstdint>
#include <random>

#include "tests/catch.hpp"

namespace camber::linear_program_test {
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
    // Dantzig's form of: earn 3 and 5 on amounts of at most 4 and 6, with 3 x + 2 y up to 18.
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
    // Said twice, a condition changes nothing.
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

// On it the rule of the steepest column goes round without end (Beale 1955).
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
