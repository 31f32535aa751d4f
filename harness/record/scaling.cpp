#include "harness/record/scaling.hpp"

#include <array>

namespace camber::scaling {

std::string_view key(Unit unit) {
    constexpr std::array<std::string_view, 4> keys{"sm", "thread", "gpu", "rank"};
    return keys[static_cast<std::size_t>(unit)];
}

std::string_view key(Mode mode) {
    return mode == Mode::strong ? "strong" : "weak";
}

std::string_view key(Verdict verdict) {
    constexpr std::array<std::string_view, 6> keys{"no_trend",    "per_unit_cost", "imbalance",
                                                   "serial_part", "unresolved",    "weak"};
    return keys[static_cast<std::size_t>(verdict)];
}

}  // namespace camber::scaling
