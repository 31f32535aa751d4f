#include "workloads/life/rle_header.hpp"

#include "harness/base/error.hpp"

namespace camber::rle {
namespace {

constexpr const char* header_example = "\"x = 3, y = 3, rule = B3/S23\"";

std::string shortened(const std::string& text) {
    constexpr std::size_t limit = 60;
    return text.size() <= limit ? text : text.substr(0, limit) + "...";
}

}  // namespace

void HeaderReader::read() {
    read_leading_lines();
    read_header();
}

void HeaderReader::read_leading_lines() {
    while (true) {
        source_.skip_blanks();
        if (source_.peek() == '#') {
            read_hash_line();
        } else if (source_.peek() != '\n') {
            return;
        }
        source_.advance();
    }
}

void HeaderReader::read_hash_line() {
    source_.advance();
    const int letter = source_.peek();
    if (letter == 'N' && !header_read_) {
        source_.advance();
        if (is_blank(source_.peek()) && pattern_.name.empty()) {
            pattern_.name = source_.rest_of_line();
        }
    } else if (letter == 'r') {
        source_.advance();
        if (is_blank(source_.peek())) read_hash_rule();
    }
    source_.skip_line();
}

// XLife wrote the rule on a #r line and Golly still obeys it, so another rule must not pass
// as a comment. The header has the last word.
void HeaderReader::read_hash_rule() {
    source_.skip_blanks();
    const Place place = source_.place();
    const std::string rule = source_.rest_of_line();
    if (rule.empty() || header_has_rule_) return;
    if (header_read_) {
        if (rule_of(rule, place) != pattern_.rule.value_or(std::string(rules_.usual)))
            source_.reject(place, "the rule \"" + shortened(rule) +
                                      "\" comes after the header; write it into the header");
    } else {
        hash_rule_ = {rule, place};
    }
}

void HeaderReader::read_header() {
    if (to_lower(source_.peek()) != 'x') {
        source_.reject(source_.place(), "the header is missing, found " + describe(source_.peek()) +
                                            "; put a line such as " + header_example +
                                            " before the cells");
    }
    pattern_.columns = read_side("x");
    expect(",");
    pattern_.rows = read_side("y");
    source_.skip_blanks();
    if (source_.peek() != '\n' && source_.peek() != end_of_file) {
        expect(",");
        expect("rule");
        expect("=");
        source_.skip_blanks();
        const Place place = source_.place();
        pattern_.rule = rule_of(source_.rest_of_line(), place);
        header_has_rule_ = true;
    } else if (hash_rule_) {
        pattern_.rule = rule_of(hash_rule_->first, hash_rule_->second);
    }
    header_read_ = true;
}

void HeaderReader::expect(std::string_view word) {
    source_.skip_blanks();
    const Place place = source_.place();
    for (const char letter : word) {
        if (to_lower(source_.peek()) != letter) {
            source_.reject(place, "the header needs \"" + std::string(word) + "\" here, found " +
                                      describe(source_.peek()) + "; write it as in " +
                                      header_example);
        }
        source_.advance();
    }
}

std::int64_t HeaderReader::read_side(const std::string& name) {
    expect(name);
    expect("=");
    source_.skip_blanks();
    const Place place = source_.place();
    const bool negative = source_.peek() == '-';
    if (!negative && !is_digit(source_.peek())) {
        source_.reject(place, "the header needs a number for " + name + " here, found " +
                                  describe(source_.peek()));
    }
    const std::int64_t side = negative ? 0 : source_.read_number("the size " + name);
    if (side < 1) source_.reject(place, "the size " + name + " must be at least 1");
    return side;
}

std::string HeaderReader::rule_of(std::string text, Place place) const {
    // Some writers end the header with a comma; Golly drops it.
    if (!text.empty() && text.back() == ',') text.pop_back();
    const std::string what = "the rule \"" + shortened(text) + "\"";
    const std::size_t colon = text.find(':');
    std::string rule;
    try {
        rule = rules_.spelled(text.substr(0, colon), what);
    } catch (const Error& error) {
        source_.reject(place, error.what());
    }
    if (colon != std::string::npos) {
        source_.reject(place, what +
                                  " asks for a bounded grid; remove the part from \":\" on "
                                  "and choose the board's boundary and size instead");
    }
    return rule;
}

}  // namespace camber::rle
