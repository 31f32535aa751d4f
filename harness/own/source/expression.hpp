// Arithmetic expressions in `camber:` lines: "columns*rows", "(columns + 255) / 256", "2*halo + 1".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

// A number with C's semantics: `/` and `%` of integers give integers.
struct ExpressionValue {
    double number = 0;
    bool whole = true;
};

// Value of a C++ literal: "64", "0x10", "0.5f", "1e-3", "true"; nullopt for any other text.
std::optional<ExpressionValue> literal_in(std::string_view text);

class Expression {
  public:
    // Throws std::invalid_argument with an explanation for invalid expressions. Words consist of
    // letters, digits, '_', '.' and an index in brackets: "pitch.image", "weights[4]".
    static Expression parse(std::string_view text);

    // Words in order of first appearance.
    const std::vector<std::string>& words() const { return words_; }

    // `value_of`: returns the value of a word, given its index. Division by zero yields zero.
    ExpressionValue evaluate(const std::function<ExpressionValue(std::size_t)>& value_of) const;

  private:
    friend class ExpressionParser;
    // Postfix order: a number, the index of a word, or an operator ('n': negation).
    struct Step {
        char kind = 0;  // '#', 'w', '+', '-', '*', '/', '%' or 'n'
        ExpressionValue value;
        std::size_t word = 0;
    };
    std::vector<Step> steps_;
    std::vector<std::string> words_;
};

}  // namespace camber
