// Text form of Larger than Life rules, and messages about invalid rules.
#include <string>

#include "tests/catch.hpp"
#include "workloads/life/larger_than_life/rule.hpp"

namespace camber::rule_text_test {

namespace {

LargerThanLife::Parameters rule(const std::string& text) {
    return larger_than_life_rule(text, "rule '" + text + "'");
}

TEST_CASE("one rule has many texts and one spelling", "[larger_than_life][rules]") {
    for (const char* text :
         {"R5,C0,M1,S34..58,B34..45,NM", "R5,B34..45,S33..57", "r5, m0, s33..57, b34..45",
          "S33..57,B34..45,R5,C2", "B34..45,S34..58,M1,R5,NM"}) {
        CAPTURE(text);
        CHECK(rule(text) == LargerThanLife::Parameters{5, {34, 45}, {34, 58}});
        CHECK(rule_text(rule(text)) == bosco_rule);
    }
    CHECK(rule("R1,B3,S2..3") == LargerThanLife::Parameters{1, {3, 3}, {3, 4}});
    CHECK(rule("R16,M1,B0..1089,S1089") == LargerThanLife::Parameters{16, {0, 1089}, {1089, 1089}});
    CHECK(rule(rule_text(rule("R2,B0..24,S0..24"))) == rule("R2,B0..24,S0..24"));
}

TEST_CASE("the parameters of a set are those of its rule, or of Bosco's", "[larger_than_life]") {
    ParameterSet set;
    CHECK(LargerThanLife::parameters(set) == rule(std::string(bosco_rule)));
    set.set_rule("R1,C0,M1,S3..4,B3..3,NM");
    CHECK(LargerThanLife::parameters(set) == LargerThanLife::Parameters{1, {3, 3}, {3, 4}});
}

TEST_CASE("a text that is no rule gets a sentence", "[larger_than_life][rules][bad input]") {
    const auto says = [](const std::string& text, const std::string& reason) {
        CAPTURE(text);
        CHECK_THROWS_WITH(rule(text), contains("rule '" + text + "'") && contains(reason));
    };
    says("", "a part '' that says nothing");
    says("B3/S23", "B3/S23");
    says("R5,B34..45", "does not say when cells survive (S)");
    says("B34..45,S33..57", "does not say its radius (R)");
    says("R0,B1,S1", "radius 0, and camber computes 1 to 16");
    says("R17,B1,S1", "radius 17");
    says("R-1,B1,S1", "no number after R");
    says("R5,B45..34,S33..57", "the empty interval B45..34");
    says("R1,B3,S2..9", "S2..9, and at most 8 cells are counted");
    says("R1,M1,B3,S2..10", "at most 9 cells are counted");
    says("R5,B34-45,S33..57", "no interval after B");
    says("R5,B34..,S33..57", "no interval after B");
    says("R5,C3,B34..45,S33..57", "3 states");
    says("R5,M2,B34..45,S33..57", "M2");
    says("R5,B34..45,S33..57,NN", "NN");
    says("R5,R5,B34..45,S33..57", "says R twice");
    says("R5,B34..45,S33..57,X", "a part 'X' that says nothing");
    says("R99999999999,B1,S1", "no number after R");
}

}  // namespace
}  // namespace camber::rule_text_test
