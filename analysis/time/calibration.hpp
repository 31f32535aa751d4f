// Figures measured on committed boards: python3 results/code/calibrate.py prints this file.
#pragma once

#include <array>

namespace camber::calibration {

// Measured over predicted time on development boards: 2.5 % quantile, 97.5 % quantile, variants.
struct Residuals {
    double low;
    double high;
    int variants;
};
inline constexpr Residuals memory{0.949, 1.125, 86};
inline constexpr Residuals throughput{0.797, 1.177, 39};
inline constexpr Residuals latency{0.795, 1.087, 34};
inline constexpr Residuals uncertain{0.759, 1.190, 9};

// Pairs of variants on held-out boards whose predicted times differ at least by this ratio, and by
// less than the next one: how many were measured, and the share of them in the predicted order.
struct OrderShare {
    double ratio;
    double share;
    int pairs;
};
inline constexpr std::array order_shares{
    OrderShare{1.00, 0.695, 167}, OrderShare{1.05, 0.946, 279}, OrderShare{1.15, 0.968, 189},
    OrderShare{1.30, 0.998, 583}, OrderShare{2.00, 1.000, 1315}};

}  // namespace camber::calibration
