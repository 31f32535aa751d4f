#include "harness/cli/common/checks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>

namespace camber {

namespace {

// Whether the text is a T and nothing else.
template <class T>
bool reads_as(const std::string& text, T& value) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end;
}

}  // namespace

std::string not_empty(const std::string& text) {
    return text.empty() ? "the value is empty" : "";
}

std::string is_seed(const std::string& text) {
    std::uint64_t value = 0;
    if (reads_as(text, value)) return "";
    return fmt::format("'{}' is no whole number from 0 to {}", text,
                       std::numeric_limits<std::uint64_t>::max());
}

Check is_within(double least, double most) {
    return [=](const std::string& text) {
        double value = 0;
        if (reads_as(text, value) && value >= least && value <= most) return std::string();
        return fmt::format("'{}' is no number from {} to {}", text, least, most);
    };
}

std::string is_file_name(const std::string& text) {
    return text == "-" ? "'-' is no file; give a name, or ./- for a file of that name"
                       : not_empty(text);
}

}  // namespace camber
