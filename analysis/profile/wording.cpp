#include "analysis/profile/wording.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace camber::profile {

std::string decimal(double number, int digits) {
    std::array<char, 400> text{};  // the longest double has 309 digits before the point
    std::snprintf(text.data(), text.size(), "%.*f", digits, number);
    return text.data();
}

std::string quantity(double amount) {
    constexpr const char* units[] = {"", " k", " M", " G", " T", " P"};
    std::size_t unit = 0;
    double scaled = amount;
    // 999.9995 and above would be shown as 1000.000.
    while (std::abs(scaled) >= 999.9995 && unit + 1 < std::size(units)) {
        scaled /= 1000;
        ++unit;
    }
    const bool whole = unit == 0 && scaled == std::floor(scaled);
    return decimal(scaled, whole ? 0 : 3) + units[unit];
}

}  // namespace camber::profile
