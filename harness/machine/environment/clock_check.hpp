// Whether the device kept its speed during a case.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace camber {

// The SM clock may fall by this share within a case before the case is marked.
constexpr double clock_fall_limit = 0.02;

// A sentence where the clock fell by more than the limit below an earlier reading of the same case,
// nullopt where it did not or where fewer than two readings are known. A rise is no fall: a device
// that wakes up is the warm-up's affair. Read `before` and `after` while the device is busy or has
// just been: an idle device lowers its clock, which says nothing of the case.
std::optional<std::string> clock_fall(std::optional<std::int64_t> before_hz,
                                      std::span<const std::int64_t> during_hz,
                                      std::optional<std::int64_t> after_hz);

}  // namespace camber
