#include "analysis/time/largest_of.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace camber {

double largest_of(double values) {
    // Values for 1, 2, 4, ... 512 samples; in between, growth per doubling is nearly constant.
    constexpr std::array of_powers{0.0,    0.5642, 1.0294, 1.4236, 1.7660,
                                   2.0697, 2.3437, 2.5946, 2.8269, 3.0439};
    const double power = std::log2(std::max(1.0, values));
    const auto below = std::min(static_cast<std::size_t>(power), of_powers.size() - 2);
    return of_powers[below] +
           (of_powers[below + 1] - of_powers[below]) * (power - static_cast<double>(below));
}

}  // namespace camber
