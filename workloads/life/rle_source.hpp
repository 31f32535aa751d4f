// Bytes of an .rle file, with their source locations for messages.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

namespace camber::rle {

constexpr int end_of_file = -1;

// The functions of <cctype> depend on the locale; the format does not.
constexpr bool is_digit(int c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_blank(int c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}
constexpr bool is_control(int c) {
    return c < ' ' || c == 0x7f;
}
constexpr int to_lower(int c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

// Describes a byte, or the end of the file, for messages.
std::string describe(int c);

struct Place {
    std::int64_t line = 1;
    std::int64_t column = 1;
};

// One byte of look-ahead with its location; CR, LF and CR LF read as '\n'. `name` must outlive it.
class Source {
  public:
    Source(std::istream& in, const std::string& name) : in_(in), name_(name) { fetch(); }

    int peek() const { return current_; }
    Place place() const { return place_; }

    void advance();
    void skip_blanks();
    void skip_line();

    // The text up to the end of the line, trimmed, fit to be shown on one line of a terminal.
    std::string rest_of_line();

    // The digits here as a number of at most max_pattern_side; `what` names it in the message.
    std::int64_t read_number(const std::string& what);

    [[noreturn]] void reject(Place place, const std::string& reason) const;

  private:
    void fetch();

    std::istream& in_;
    const std::string& name_;
    int current_ = end_of_file;
    Place place_;
};

}  // namespace camber::rle
