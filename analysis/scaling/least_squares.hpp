// Linear least squares of a few coefficients, with what is needed to judge them.
#pragma once

#include <span>
#include <vector>

namespace camber::scaling {

struct LinearFit {
    std::vector<double> coefficients;
    // From the scatter of the residuals; empty where there are no more data than coefficients.
    std::vector<double> standard_errors;
    std::vector<double> residuals;  // data minus fit, in the order of the data
    double max_abs_residual = 0;
};

// Fits y = sum of coefficients[j] * columns[j]. `weights`: one per datum, relative (1/sigma^2 up to
// a factor), or empty for equal ones. Throws std::invalid_argument where lengths differ, data are
// fewer than coefficients, or the columns depend on each other on these data.
LinearFit least_squares(std::span<const std::vector<double>> columns, std::span<const double> y,
                        std::span<const double> weights = {});

}  // namespace camber::scaling
