#include "workloads/water/surface_water/physics.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/base/error.hpp"

namespace camber::surface_water {
namespace {

template <class T>
T rounded(const ParameterSet& set, const char* name, bool may_be_zero) {
    const float value = set.value_f(name);
    if (!std::isfinite(value) || value < 0 || (value == 0 && !may_be_zero))
        throw Error(ExitCode::usage,
                    fmt::format("parameter {} = {} is impossible: give a {} number", name,
                                set.value(name), may_be_zero ? "non-negative" : "positive"));
    return static_cast<T>(value);
}

}  // namespace

std::vector<ParameterInfo> parameters() {
    return {
        {"dx", {10}, "m", "side of a cell, also of an input grid's, whatever its cellsize says"},
        {"dt", {1}, "s", "duration of a step"},
        {"manning", {0.05}, "s/m^(1/3)", "Manning's roughness of the ground"},
        {"rain", {25e-3 / 3600}, "m/s", "rain on every cell but the inert ones"},
        {"rain_steps", {250}, "", "steps that it rains, from the start"}};
}

template <class T>
T time_step(const ParameterSet& set) {
    return rounded<T>(set, "dt", false);
}

template <class T>
FlowParameters<T> flow_parameters(const ParameterSet& set) {
    const T dx = rounded<T>(set, "dx", false);
    return {dx, std::sqrt(T(2)) * dx, time_step<T>(set), rounded<T>(set, "manning", false)};
}

template <class T>
RainParameters<T> rain_parameters(const ParameterSet& set) {
    const double steps = set.value("rain_steps");
    if (!(steps >= 0 && steps <= 1e9 && steps == std::floor(steps)))
        throw Error(ExitCode::usage,
                    fmt::format("parameter rain_steps = {} is impossible: give a whole number from "
                                "0 to 1000000000",
                                steps));
    return {rounded<T>(set, "rain", true) * time_step<T>(set), static_cast<int>(steps)};
}

template float time_step<float>(const ParameterSet&);
template double time_step<double>(const ParameterSet&);
template FlowParameters<float> flow_parameters<float>(const ParameterSet&);
template FlowParameters<double> flow_parameters<double>(const ParameterSet&);
template RainParameters<float> rain_parameters<float>(const ParameterSet&);
template RainParameters<double> rain_parameters<double>(const ParameterSet&);

}  // namespace camber::surface_water
