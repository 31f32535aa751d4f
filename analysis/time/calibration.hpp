// Figures measured on committed boards: python3 results/code/calibrate.py prints this file.
#pragma once

#include <array>

namespace camber::calibration {

// Measured over predicted time on development boards: low end, high end, number of variants.
struct Residuals {
    double low;
    double high;
    int variants;
};
inline constexpr Residuals memory{0.775, 1.331, 666};
inline constexpr Residuals throughput{0.829, 1.269, 1657};
inline constexpr Residuals latency{0.782, 1.471, 675};
inline constexpr Residuals uncertain{0.657, 2.390, 248};

// Pairs of variants on held-out boards whose predicted times differ at least by this ratio, and by
// less than the next one: how many were measured, and the share of them in the predicted order.
struct OrderShare {
    double ratio;
    double share;
    int pairs;
};
inline constexpr std::array order_shares{
    OrderShare{1.00, 0.493, 2215},  OrderShare{1.01, 0.554, 1387},  OrderShare{1.02, 0.670, 1523},
    OrderShare{1.03, 0.675, 2779},  OrderShare{1.05, 0.683, 2626},  OrderShare{1.07, 0.752, 3445},
    OrderShare{1.10, 0.851, 5865},  OrderShare{1.15, 0.895, 5278},  OrderShare{1.20, 0.942, 9385},
    OrderShare{1.30, 0.983, 15260}, OrderShare{1.50, 0.996, 22041}, OrderShare{2.00, 1.000, 24389}};

}  // namespace camber::calibration
