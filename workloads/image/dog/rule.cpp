#include "workloads/image/dog/rule.hpp"

#include "workloads/image/blur/weights.hpp"

namespace camber {

template <Gaussian gaussian>
Blur::Parameters BlurTo<gaussian>::parameters(const ParameterSet& set) {
    Parameters parameters;
    set_gaussian_weights(parameters.weights, set,
                         gaussian == Gaussian::wide ? "sigma_wide" : "sigma_narrow");
    return parameters;
}
template struct BlurTo<Gaussian::narrow>;
template struct BlurTo<Gaussian::wide>;

FusedDog::Parameters FusedDog::parameters(const ParameterSet& set) {
    Parameters parameters;
    set_gaussian_weights(parameters.wide, set, "sigma_wide");
    set_gaussian_weights(parameters.narrow, set, "sigma_narrow");
    return parameters;
}

}  // namespace camber
