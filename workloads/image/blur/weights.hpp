// Weights of 3x3 blurs.
#pragma once

#include <string_view>

#include "harness/base/parameters.hpp"

namespace camber {

// (1 2 1; 2 4 2; 1 2 1) / 16, row by row: exact in float.
inline constexpr float binomial_weights[9] = {0.0625f, 0.125f,  0.0625f, 0.125f, 0.25f,
                                              0.125f,  0.0625f, 0.125f,  0.0625f};

// exp(-(dx^2 + dy^2) / (2 sigma^2)) at the nine cells, divided by their sum in double, then rounded
// to float. `sigma` is in cells, above 0.
void set_gaussian_weights(float (&weights)[9], double sigma);

// The same for the parameter `name`. Throws Error(usage) where it is not above 0.
void set_gaussian_weights(float (&weights)[9], const ParameterSet& set, std::string_view name);

}  // namespace camber
