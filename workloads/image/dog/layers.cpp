#include "workloads/image/dog/layers.hpp"

#include <omp.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "workloads/image/blur/reference.hpp"
#include "workloads/image/blur/weights.hpp"

namespace camber {

namespace {

void blur_once(std::span<const float> image, std::span<float> blurred, Size size) {
    blur_image(image, blurred, size, binomial_weights, Boundary::dead, omp_get_num_procs());
}

}  // namespace

void fill_blurs(std::span<const float> image, Size size,
                const std::vector<std::span<float>>& blurs) {
    for (const std::span<float> blurred : blurs) {
        blur_once(image, blurred, size);
        image = blurred;
    }
}

void fill_difference_layers(std::vector<float> image, Size size,
                            const std::vector<std::span<float>>& layers) {
    std::vector<float> more_blurred(image.size());
    blur_once(image, more_blurred, size);
    for (const std::span<float> layer : layers) {
        std::swap(image, more_blurred);
        blur_once(image, more_blurred, size);
        std::ranges::transform(more_blurred, image, layer.begin(), std::minus());
    }
}

}  // namespace camber
