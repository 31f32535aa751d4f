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
inline constexpr Residuals memory{0.886, 1.286, 664};
inline constexpr Residuals throughput{0.858, 1.235, 1651};
inline constexpr Residuals latency{0.823, 1.334, 683};
inline constexpr Residuals uncertain{0.683, 2.390, 248};

// Pairs of variants on held-out boards whose predicted times differ at least by this ratio, and by
// less than the next one: how many were measured, and the share of them in the predicted order.
struct OrderShare {
    double ratio;
    double share;
    int pairs;
};
inline constexpr std::array order_shares{
    OrderShare{1.00, 0.506, 2235},  OrderShare{1.01, 0.550, 1405},  OrderShare{1.02, 0.657, 1416},
    OrderShare{1.03, 0.665, 2870},  OrderShare{1.05, 0.719, 2600},  OrderShare{1.07, 0.750, 3317},
    OrderShare{1.10, 0.855, 5978},  OrderShare{1.15, 0.900, 5306},  OrderShare{1.20, 0.941, 9308},
    OrderShare{1.30, 0.985, 15341}, OrderShare{1.50, 0.996, 22014}, OrderShare{2.00, 1.000, 24403}};

}  // namespace camber::calibration
