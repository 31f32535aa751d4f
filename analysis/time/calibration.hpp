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
inline constexpr Residuals memory{0.886, 1.229, 310};
inline constexpr Residuals throughput{0.853, 1.201, 699};
inline constexpr Residuals latency{0.820, 1.321, 441};
inline constexpr Residuals uncertain{0.765, 1.458, 81};

// Pairs of variants on held-out boards whose predicted times differ at least by this ratio, and by
// less than the next one: how many were measured, and the share of them in the predicted order.
struct OrderShare {
    double ratio;
    double share;
    int pairs;
};
inline constexpr std::array order_shares{
    OrderShare{1.00, 0.502, 622},  OrderShare{1.01, 0.552, 589},  OrderShare{1.02, 0.695, 541},
    OrderShare{1.03, 0.694, 1066}, OrderShare{1.05, 0.748, 972},  OrderShare{1.07, 0.758, 1343},
    OrderShare{1.10, 0.846, 2028}, OrderShare{1.15, 0.927, 1929}, OrderShare{1.20, 0.963, 3504},
    OrderShare{1.30, 0.993, 5981}, OrderShare{1.50, 0.999, 7824}, OrderShare{2.00, 1.000, 9620}};

}  // namespace camber::calibration
