// Images blurred once, twice, ... with binomial weights, 0 beyond the edge, on all CPU threads.
// They are the input of differences and extrema.
#pragma once

#include <span>
#include <vector>

#include "harness/base/state.hpp"

namespace camber {

// blurs[k] becomes `image` blurred k + 1 times.
void fill_blurs(std::span<const float> image, Size size,
                const std::vector<std::span<float>>& blurs);

// layers[k] becomes the image blurred k + 2 times minus that blurred k + 1 times.
void fill_difference_layers(std::vector<float> image, Size size,
                            const std::vector<std::span<float>>& layers);

}  // namespace camber
