// Numbers as a person reads them.
#pragma once

#include <optional>
#include <string>

namespace camber {

// 0.4567 -> "45.7 %"; "-" where there is none.
std::string percent(double share, int digits = 1);
std::string percent(const std::optional<double>& share, int digits = 1);

// "1.23 us", "1.234 ms" or "1.234 s".
std::string duration(double nanoseconds);

}  // namespace camber
