// Bytes of an .rle file with their source locations for error messages.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

namespace camber::rle {

constexpr int end_of_file = -1;

// Unlike the functions of <cctype>, independent of the locale, as the format is.
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

// Describes a byte, or the end of the file, for error messages.
std::string describe(int c);

struct Place {
    std::int64_t line = 1;
    std::int64_t column = 1;
};

// Input with one byte of look-ahead and its location; CR, LF and CR LF are read as '\n'. `name`
// must outlive the object.
class Source {
  public:
    Source(std::istream& in, const std::string& name) : in_(in), name_(name) { fetch(); }

    int peek() const { return current_; }
    Place place() const { return place_; }

    void advance();
    void skip_blanks();
    void skip_line();

    // Reads the text up to the end of the line; the result is trimmed and printable on one line of
    // a terminal.
    std::string rest_of_line();

    // Reads a number of at most max_pattern_side; `what` names the number in error messages.
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
