// Arithmetic expressions in `camber:` lines.
#include "harness/own/source/expression.hpp"

#include <stdexcept>

#include "tests/catch.hpp"

namespace camber::expression_test {
namespace {

double value_of(const std::string& text) {
    const Expression expression = Expression::parse(text);
    return expression
        .evaluate([&](std::size_t word) {
            const std::string& name = expression.words()[word];
            if (name == "columns") return ExpressionValue{100, true};
            if (name == "weights[4]") return ExpressionValue{0.25, false};
            return ExpressionValue{7, true};
        })
        .number;
}

std::string rejected(const std::string& text) {
    try {
        Expression::parse(text);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("expressions have C's precedence and its division of integers", "[candidate]") {
    CHECK(value_of("columns*rows") == 700);
    CHECK(value_of("(columns + 63) / 64") == 2);
    CHECK(value_of("2 + 3 * 4 - 10 % 4") == 12);
    CHECK(value_of("-columns - -1") == -99);
    CHECK(value_of("1 / 2.0f") == 0.5);
    CHECK(value_of("weights[4]*pitch.image") == 1.75);
    CHECK(value_of("1e-3 * 0x10") == 0.016);
    CHECK(value_of("1/0") == 0);
    const auto words = Expression::parse("a*b + a").words();
    CHECK(words == std::vector<std::string>{"a", "b"});
}

TEST_CASE("what is no expression is said", "[candidate]") {
    CHECK(rejected("columns*") == "a number or a word is missing at the end");
    CHECK(rejected("(1 + 2") == "a ')' is missing");
    CHECK(rejected("1 2") == "'2' is left over");
    CHECK(rejected("3cm") == "'3cm' is no number");
    CHECK(rejected("a & b") == "'& b' is left over");
    CHECK(rejected(std::string(1000, '(')) == "it is nested too deeply");
}

TEST_CASE("literals of C++ are numbers", "[candidate]") {
    CHECK(literal_in("64u")->number == 64);
    CHECK(literal_in("64u")->whole);
    CHECK(literal_in("0.5f")->number == 0.5);
    CHECK_FALSE(literal_in("1.0")->whole);
    CHECK(literal_in("-3")->number == -3);
    CHECK(literal_in("true")->number == 1);
    CHECK_FALSE(literal_in("64q"));
    CHECK_FALSE(literal_in("columns"));
    CHECK_FALSE(literal_in(""));
}

}  // namespace camber::expression_test
