#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/base/error.hpp"
#include "workloads/image/gaussian/rule.hpp"

namespace camber {

namespace {

GaussianWeights cut_off(double sigma, int radius) {
    double exact[2 * largest_gaussian_radius + 1] = {};
    double sum = 0;
    for (int i = 0; i <= 2 * radius; ++i) {
        const double away = i - radius;
        // Divided twice, because the square of a tiny sigma is 0 and 0 / 0 is no weight.
        exact[i] = std::exp(-0.5 * (away * away / sigma / sigma));
        sum += exact[i];
    }
    GaussianWeights made{.radius = radius};
    for (int i = 0; i <= 2 * radius; ++i) made.weights[i] = static_cast<float>(exact[i] / sum);
    return made;
}

}  // namespace

GaussianWeights GaussianWeights::of(double sigma, double radius) {
    if (!(sigma > 0))
        throw Error(
            ExitCode::usage,
            fmt::format("parameter sigma is {}, but the width of a Gaussian must be above 0",
                        sigma),
            Remedy::parameter, "sigma=1.5");
    if (!(radius >= 0 && radius <= largest_gaussian_radius) || radius != std::floor(radius))
        throw Error(ExitCode::usage,
                    fmt::format("parameter radius is {}, but it must be a whole number from 1 to "
                                "{}, or 0 for three times sigma",
                                radius, largest_gaussian_radius),
                    Remedy::parameter, "radius=5");
    if (radius > 0) return cut_off(sigma, static_cast<int>(radius));
    const double usual = std::ceil(std::min(3 * sigma, 1.0 * largest_gaussian_radius));
    return cut_off(sigma, static_cast<int>(usual));
}

GaussianWeights GaussianWeights::of(const ParameterSet& set) {
    return of(set.value("sigma"), set.value("radius"));
}

}  // namespace camber
