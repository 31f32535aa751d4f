// Comparison with numbers known to twelve digits.
#pragma once

#include "tests/catch.hpp"

namespace camber::sciara_fv3 {

inline auto equals(double value) {
    return Approx(value).epsilon(1e-12).margin(1e-300);
}

}  // namespace camber::sciara_fv3
