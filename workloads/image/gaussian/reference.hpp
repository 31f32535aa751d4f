// Reference of the Gaussian blur: sums of all rows, then of their columns. It is bitwise equal to
// the rule, which adds the whole square of each cell.
#pragma once

#include <span>

#include "harness/base/state.hpp"
#include "workloads/image/gaussian/rule.hpp"

namespace camber {

// Blurs all rows of `cells` into `blurred` on `threads` CPU threads. They must not overlap.
void gaussian_blur_image(std::span<const float> cells, std::span<float> blurred, Size size,
                         const GaussianWeights& weights, Boundary boundary, int threads);

}  // namespace camber
