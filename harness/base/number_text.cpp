#include "harness/base/number_text.hpp"

#include <fmt/format.h>

namespace camber {

std::string percent(double share, int digits) {
    return fmt::format("{:.{}f} %", 100 * share, digits);
}

std::string percent(const std::optional<double>& share, int digits) {
    return share ? percent(*share, digits) : "-";
}

std::string duration(double nanoseconds) {
    if (nanoseconds < 1e6) return fmt::format("{:.2f} us", nanoseconds * 1e-3);
    if (nanoseconds < 1e9) return fmt::format("{:.3f} ms", nanoseconds * 1e-6);
    return fmt::format("{:.3f} s", nanoseconds * 1e-9);
}

}  // namespace camber
