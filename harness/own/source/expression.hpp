// Arithmetic in a camber: line: "columns*rows", "(columns + 255) / 256", "2*halo + 1".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

// A number as C has it: `/` and `%` of whole numbers give whole numbers.
struct ExpressionValue {
    double number = 0;
    bool whole = true;
};

// A literal of C++: "64", "0x10", "0.5f", "1e-3", "true"; nullopt if it is another text.
std::optional<ExpressionValue> literal_in(std::string_view text);

class Expression {
  public:
    // Throws std::invalid_argument with a phrase for a text that is no expression. Words are
    // letters, digits, '_', '.' and an index in brackets: "pitch.image", "weights[4]".
    static Expression parse(std::string_view text);

    // In the order in which they occur first.
    const std::vector<std::string>& words() const { return words_; }

    // `value_of`: the value of a word by its index. A division by zero gives zero.
    ExpressionValue evaluate(const std::function<ExpressionValue(std::size_t)>& value_of) const;

  private:
    friend class ExpressionParser;
    // In postfix order: a number, a word by its index, or an operator ('n': negation).
    struct Step {
        char kind = 0;  // '#', 'w', '+', '-', '*', '/', '%' or 'n'
        ExpressionValue value;
        std::size_t word = 0;
    };
    std::vector<Step> steps_;
    std::vector<std::string> words_;
};

}  // namespace camber
