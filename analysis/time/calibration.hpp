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
inline constexpr Residuals memory{0.886, 1.225, 604};
inline constexpr Residuals throughput{0.858, 1.232, 1294};
inline constexpr Residuals latency{0.822, 1.330, 599};
inline constexpr Residuals uncertain{0.765, 1.458, 93};

// Pairs of variants on held-out boards whose predicted times differ at least by this ratio, and by
// less than the next one: how many were measured, and the share of them in the predicted order.
struct OrderShare {
    double ratio;
    double share;
    int pairs;
};
inline constexpr std::array order_shares{
    OrderShare{1.00, 0.495, 968},  OrderShare{1.01, 0.539, 885},   OrderShare{1.02, 0.677, 844},
    OrderShare{1.03, 0.689, 1605}, OrderShare{1.05, 0.738, 1564},  OrderShare{1.07, 0.747, 2076},
    OrderShare{1.10, 0.837, 3283}, OrderShare{1.15, 0.916, 2997},  OrderShare{1.20, 0.950, 5400},
    OrderShare{1.30, 0.982, 9434}, OrderShare{1.50, 0.994, 12631}, OrderShare{2.00, 1.000, 15293}};

}  // namespace camber::calibration
