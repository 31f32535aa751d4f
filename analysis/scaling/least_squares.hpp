// Linear least squares with few coefficients, and the quality of the fit.
#pragma once

#include <span>
#include <vector>

#include "harness/record/scaling.hpp"

namespace camber::scaling {

// Fits y = sum of coefficients[j] * columns[j]. `weights`: one per datum, relative (1/sigma^2 up to
// a factor), or empty for equal ones. Throws std::invalid_argument where lengths differ, data are
// fewer than coefficients, or the columns depend on each other on these data.
LinearFit least_squares(std::span<const std::vector<double>> columns, std::span<const double> y,
                        std::span<const double> weights = {});

}  // namespace camber::scaling
