// Lengths of time as people type them.
#pragma once

#include <optional>
#include <string>

namespace camber {

// Seconds of "90s", "20m", "1.5h" or a bare number of seconds. Nothing for any other text, and
// outside one second to a thousand hours.
std::optional<double> parse_duration(const std::string& text);

// For CLI::Option::check(): "" where parse_duration() takes the text, or else what is wrong.
std::string is_duration(const std::string& text);

}  // namespace camber
