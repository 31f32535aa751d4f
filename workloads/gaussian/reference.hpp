// The plain reference of the Gaussian blur: the sums of all rows, then of columns of them. Bit for
// bit what the rule gives cell by cell, which adds up the whole square of each.
#pragma once

#include <span>

#include "harness/base/state.hpp"
#include "workloads/gaussian/rule.hpp"

namespace camber {

// Blurs all rows of `cells` into `blurred` on `threads` CPU threads. They must not overlap.
void gaussian_blur_image(std::span<const float> cells, std::span<float> blurred, Size size,
                         const GaussianWeights& weights, Boundary boundary, int threads);

}  // namespace camber
