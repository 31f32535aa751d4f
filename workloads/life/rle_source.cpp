#include "workloads/life/rle_source.hpp"

#include <array>
#include <cstdio>
#include <istream>

#include "harness/base/error.hpp"
#include "workloads/life/patterns.hpp"

namespace camber::rle {

std::string describe(int c) {
    if (c == end_of_file) return "the end of the file";
    if (c == '\n') return "the end of the line";
    if (is_control(c) || c > 0x7e) {
        std::array<char, 16> text{};
        std::snprintf(text.data(), text.size(), "byte 0x%02x", static_cast<unsigned>(c));
        return text.data();
    }
    return std::string("'") + static_cast<char>(c) + "'";
}

void Source::advance() {
    if (current_ == end_of_file) return;
    if (current_ == '\n') {
        ++place_.line;
        place_.column = 1;
    } else {
        ++place_.column;
    }
    fetch();
}

void Source::skip_blanks() {
    while (is_blank(current_)) advance();
}

void Source::skip_line() {
    while (current_ != '\n' && current_ != end_of_file) advance();
}

std::string Source::rest_of_line() {
    std::string text;
    skip_blanks();
    while (current_ != '\n' && current_ != end_of_file) {
        text += is_control(current_) ? ' ' : static_cast<char>(current_);
        advance();
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
}

std::int64_t Source::read_number(const std::string& what) {
    const Place start = place_;
    std::int64_t value = 0;
    while (is_digit(current_)) {
        value = value * 10 + (current_ - '0');
        if (value > max_pattern_side) {
            reject(start, what + " is too large; the limit is " + std::to_string(max_pattern_side));
        }
        advance();
    }
    return value;
}

void Source::reject(Place place, const std::string& reason) const {
    throw Error(ExitCode::usage, name_ + ":" + std::to_string(place.line) + ":" +
                                     std::to_string(place.column) + ": " + reason);
}

void Source::fetch() {
    const int next = in_.get();
    if (next == std::istream::traits_type::eof()) {
        if (in_.bad()) reject(place_, "reading failed here; check the file and its disk");
        current_ = end_of_file;
        return;
    }
    current_ = next;
    if (next == '\r') {
        if (in_.peek() == '\n') in_.get();
        current_ = '\n';
    }
}

}  // namespace camber::rle
