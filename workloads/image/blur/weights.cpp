#include "workloads/image/blur/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/base/error.hpp"
#include "workloads/image/blur/rule.hpp"

namespace camber {

void set_gaussian_weights(float (&weights)[9], double sigma) {
    double exact[9];
    double sum = 0;
    for (int i = 0; i < 9; ++i) {
        const int dx = i % 3 - 1;
        const int dy = i / 3 - 1;
        // Divided twice, because the square of a tiny sigma is 0 and 0 / 0 is no weight.
        exact[i] = std::exp(-0.5 * ((dx * dx + dy * dy) / sigma / sigma));
        sum += exact[i];
    }
    std::ranges::transform(exact, weights,
                           [sum](double weight) { return static_cast<float>(weight / sum); });
}

void set_gaussian_weights(float (&weights)[9], const ParameterSet& set, std::string_view name) {
    const double sigma = set.value(name);
    if (!(sigma > 0))
        throw Error(ExitCode::usage,
                    fmt::format("parameter {} is {}, but the width of a Gaussian must be above 0",
                                name, sigma),
                    Remedy::parameter, fmt::format("{}=1.5", name));
    set_gaussian_weights(weights, sigma);
}

Blur::Parameters Blur::parameters(const ParameterSet& set) {
    Parameters parameters;
    const double sigma = set.value("sigma");
    if (sigma < 0)
        throw Error(ExitCode::usage,
                    fmt::format("parameter sigma is {}, but it must not be negative", sigma),
                    Remedy::parameter, "sigma=1.5, or 0 to use the weights");
    const auto& weights = set.values("weights");
    if (sigma > 0) {
        if (!std::ranges::equal(weights, binomial_weights))
            throw Error(ExitCode::usage,
                        "parameters sigma and weights are both given, and each sets all nine "
                        "weights: leave out one");
        set_gaussian_weights(parameters.weights, sigma);
        return parameters;
    }
    for (int i = 0; i < 9; ++i) {
        if (std::abs(weights[i]) > std::numeric_limits<float>::max())
            throw Error(ExitCode::usage,
                        fmt::format("weight {} is {}, which is beyond the range of float: choose "
                                    "weights around 1",
                                    i, weights[i]));
        parameters.weights[i] = static_cast<float>(weights[i]);
    }
    return parameters;
}

}  // namespace camber
