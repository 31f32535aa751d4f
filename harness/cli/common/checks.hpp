// What is typed for an option, checked before it is converted: CLI11's own checks let "nan" pass,
// and numbers beyond 64 bits.
#pragma once

#include <functional>
#include <string>

namespace camber {

// For CLI::Option::check(): "" where the text is good, or else what is wrong with it.
using Check = std::function<std::string(const std::string& text)>;

// An unset shell variable must not pass for an option that was not given.
std::string not_empty(const std::string& text);
// A whole number of 64 bits.
std::string is_seed(const std::string& text);
// A number from `least` to `most`.
Check is_within(double least, double most);
// A file to write; "-" is none, because it means standard output elsewhere.
std::string is_file_name(const std::string& text);

}  // namespace camber
