#include "harness/own/source/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "harness/own/source/code_text.hpp"

namespace camber {

std::optional<ExpressionValue> literal_in(std::string_view text) {
    if (text == "true") return ExpressionValue{1, true};
    if (text == "false") return ExpressionValue{0, true};
    if (text.empty()) return std::nullopt;
    const auto ends_within = [&](const char* stop, std::string_view suffixes) {
        return std::all_of(stop, text.data() + text.size(),
                           [&](char c) { return suffixes.find(c) != suffixes.npos; });
    };
    const char* const end = text.data() + text.size();
    if (text.starts_with("0x") || text.starts_with("0X")) {
        unsigned long long whole = 0;
        const auto [stop, error] = std::from_chars(text.data() + 2, end, whole, 16);
        if (error != std::errc() || !ends_within(stop, "uUlL")) return std::nullopt;
        return ExpressionValue{static_cast<double>(whole), true};
    }
    double number = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc()) return std::nullopt;
    const std::string_view digits = text.substr(0, static_cast<std::size_t>(stop - text.data()));
    const bool whole = digits.find_first_of(".eEnN") == digits.npos;
    if (!ends_within(stop, whole ? "uUlL" : "fFlL")) return std::nullopt;
    return ExpressionValue{number, whole};
}

// expression: term {(+|-) term}; term: factor {(*|/|%) factor}; factor: -factor, (expression),
// a literal or a word.
class ExpressionParser {
  public:
    explicit ExpressionParser(std::string_view text) : text_(text) {}

    Expression parse() {
        sum();
        if (peek() != 0)
            throw std::invalid_argument(fmt::format("'{}' is left over", text_.substr(at_)));
        return std::move(result_);
    }

  private:
    char peek() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    void add(char kind) { result_.steps_.push_back({kind, {}, 0}); }

    void sum() {
        product();
        for (char c = peek(); c == '+' || c == '-'; c = peek()) {
            ++at_;
            product();
            add(c);
        }
    }
    void product() {
        factor();
        for (char c = peek(); c == '*' || c == '/' || c == '%'; c = peek()) {
            ++at_;
            factor();
            add(c);
        }
    }
    void factor() {
        constexpr int deepest = 100;
        if (++depth_ > deepest) throw std::invalid_argument("it is nested too deeply");
        const char c = peek();
        if (c == '-' || c == '+') {
            ++at_;
            factor();
            if (c == '-') add('n');
        } else if (c == '(') {
            ++at_;
            sum();
            if (peek() != ')') throw std::invalid_argument("a ')' is missing");
            ++at_;
        } else {
            operand();
        }
        --depth_;
    }
    void operand() {
        const std::size_t begin = at_;
        const bool number =
            at_ < text_.size() &&
            (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.');
        while (at_ < text_.size() && continues(begin, number)) ++at_;
        const std::string word(text_.substr(begin, at_ - begin));
        if (word.empty())
            throw std::invalid_argument(begin < text_.size()
                                            ? fmt::format("'{}' is no number or word", text_[begin])
                                            : "a number or a word is missing at the end");
        if (const auto value = literal_in(word)) {
            result_.steps_.push_back({'#', *value, 0});
            return;
        }
        if (number) throw std::invalid_argument(fmt::format("'{}' is no number", word));
        auto& words = result_.words_;
        auto found = std::ranges::find(words, word);
        if (found == words.end()) {
            words.push_back(word);
            found = std::prev(words.end());
        }
        result_.steps_.push_back({'w', {}, static_cast<std::size_t>(found - words.begin())});
    }
    bool continues(std::size_t begin, bool number) const {
        const char c = text_[at_];
        if (is_word_character(c) || c == '.') return true;
        if (number)  // the sign of an exponent
            return (c == '+' || c == '-') && at_ > begin &&
                   (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') &&
                   !text_.substr(begin).starts_with("0x");
        return c == '[' || c == ']';
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    Expression result_;
};

Expression Expression::parse(std::string_view text) {
    return ExpressionParser(text).parse();
}

namespace {

ExpressionValue combined(char operation, ExpressionValue a, ExpressionValue b) {
    const bool whole = a.whole && b.whole;
    switch (operation) {
        case '+':
            return {a.number + b.number, whole};
        case '-':
            return {a.number - b.number, whole};
        case '*':
            return {a.number * b.number, whole};
        case '/':
            if (b.number == 0) return {0, whole};
            return {whole ? std::trunc(a.number / b.number) : a.number / b.number, whole};
        default:
            return {b.number == 0 ? 0 : std::fmod(a.number, b.number), whole};
    }
}

}  // namespace

ExpressionValue Expression::evaluate(
    const std::function<ExpressionValue(std::size_t)>& value_of) const {
    std::vector<ExpressionValue> stack;
    for (const Step& step : steps_) {
        if (step.kind == '#') {
            stack.push_back(step.value);
        } else if (step.kind == 'w') {
            stack.push_back(value_of(step.word));
        } else if (step.kind == 'n') {
            stack.back().number = -stack.back().number;
        } else {
            const ExpressionValue right = stack.back();
            stack.pop_back();
            stack.back() = combined(step.kind, stack.back(), right);
        }
    }
    return stack.back();
}

}  // namespace camber
