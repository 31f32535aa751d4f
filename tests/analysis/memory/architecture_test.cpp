#include "analysis/memory/architecture.hpp"

#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "tests/catch.hpp"

namespace architecture_test {

using namespace camber;

TEST_CASE("names of architectures select a rule set", "[memory][architecture]") {
    const std::vector<std::tuple<std::string, std::string, RuleSet, bool>> cases = {
        {"cc1.0", "CC 1.0", RuleSet::cc10, false},
        {"1.1", "CC 1.1", RuleSet::cc10, false},
        {"cc1.2", "CC 1.2", RuleSet::cc12, false},
        {"sm_13", "CC 1.3", RuleSet::cc12, false},
        {"CC 2.0", "CC 2.0", RuleSet::cc20, false},
        {"cc2.1-cg", "CC 2.1, loads not cached in L1", RuleSet::cc20_uncached, false},
        {"sm_35", "CC 3.5", RuleSet::cc30, false},
        {"5.0", "CC 5.0", RuleSet::cc50, false},
        {"compute_75", "CC 7.5", RuleSet::cc50, false},
        {"sm_90", "CC 9.0", RuleSet::cc50, false},
        {"SM_90A", "CC 9.0", RuleSet::cc50, false},
        {"9.0", "CC 9.0", RuleSet::cc50, false},
        {"sm_100f", "CC 10.0", RuleSet::cc50, true},
        {"sm_120", "CC 12.0", RuleSet::cc50, true},
        {"12.1", "CC 12.1", RuleSet::cc50, true},
        {"sm_103a", "CC 10.3", RuleSet::cc50, true},
    };
    for (const auto& [name, text, rules, newer] : cases) {
        CAPTURE(name);
        const Architecture architecture = parse_architecture(name);
        CHECK(to_string(architecture) == text);
        CHECK(architecture.rules == rules);
        CHECK(architecture.newer_than_rules == newer);
    }
}

TEST_CASE("what is no architecture is refused with the remedy", "[memory][architecture]") {
    for (const char* name : {"",      "cc",     "sm_",        "sm_9",  "9",        "90",    "fermi",
                             "cc4.0", "1.4",    "9.1",        "sm_40", "1.2.3",    "-1.0",  "cc1.",
                             ".2",    "0.0",    "sm_9000",    "9.0a",  "cc9.0-cg", "sm_-1", "sm_a",
                             "x2.0",  "sm_999", "sm_101a-cg", "10.2",  "12.2",     "13.0"}) {
        CAPTURE(name);
        CHECK_THROWS_AS(parse_architecture(name), std::invalid_argument);
        CHECK_THROWS_WITH(parse_architecture(name), contains("architecture '" + std::string(name)));
        CHECK_THROWS_WITH(parse_architecture(name), contains("write a compute capability such as"));
    }
}

TEST_CASE("rule sets have names of their own", "[memory][architecture]") {
    for (const RuleSet a : all_rule_sets) {
        for (const RuleSet b : all_rule_sets) CHECK((to_string(a) == to_string(b)) == (a == b));
    }
}

}  // namespace architecture_test
