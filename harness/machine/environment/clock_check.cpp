#include "harness/machine/environment/clock_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace camber {

std::optional<std::string> clock_fall(std::optional<std::int64_t> before_hz,
                                      std::span<const std::int64_t> during_hz,
                                      std::optional<std::int64_t> after_hz) {
    std::vector<std::int64_t> readings;
    if (before_hz) readings.push_back(*before_hz);
    readings.insert(readings.end(), during_hz.begin(), during_hz.end());
    if (after_hz) readings.push_back(*after_hz);

    std::int64_t peak = 0;  // the highest so far
    std::int64_t from = 0;
    std::int64_t to = 0;
    double deepest = 0;
    for (const std::int64_t clock : readings) {
        peak = std::max(peak, clock);
        if (peak <= 0) continue;
        const double fall = static_cast<double>(peak - clock) / static_cast<double>(peak);
        if (fall > deepest) {
            deepest = fall;
            from = peak;
            to = clock;
        }
    }
    if (deepest <= clock_fall_limit) return std::nullopt;
    return fmt::format(
        "the SM clock fell by {:.1f} % during the case, from {} MHz to {} MHz; its times mix "
        "speeds",
        100 * deepest, from / 1'000'000, to / 1'000'000);
}

}  // namespace camber
