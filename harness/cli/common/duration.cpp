#include "harness/cli/common/duration.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace camber {

std::optional<double> parse_duration(const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc()) return std::nullopt;
    const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
    if (unit == "m")
        value *= 60;
    else if (unit == "h")
        value *= 3600;
    else if (unit != "s" && !unit.empty())
        return std::nullopt;
    constexpr double most = 3.6e6;
    if (!(value >= 1 && value <= most)) return std::nullopt;
    return value;
}

std::string is_duration(const std::string& text) {
    if (parse_duration(text)) return "";
    return fmt::format(
        "'{}' is no length of time from one second to a thousand hours: write for "
        "example 90s, 20m or 1h",
        text);
}

}  // namespace camber
