// Parameters of surface water: by name in the harness, typed in rules and reference.
#pragma once

#include <vector>

#include "harness/base/parameters.hpp"
#include "workloads/water/surface_water/physics.hpp"

namespace camber::surface_water {

// With the values of the benchmark: a storm of 25 mm/h for 250 of 500 s.
std::vector<ParameterInfo> parameters();

// The functions below throw Error(usage) for values that make no sense. Values are rounded to float
// whatever T is, so that float and double compute the same thing. Instantiated for float and
// double.
template <class T>
FlowParameters<T> flow_parameters(const ParameterSet& set);

template <class T>
struct RainParameters {
    T per_step;           // m
    int remaining_steps;  // before it ceases; 0 or less: it has

    CAMBER_HD T now() const { return remaining_steps > 0 ? per_step : T(0); }
    CAMBER_HD RainParameters later(int steps) const { return {per_step, remaining_steps - steps}; }
};
template <class T>
RainParameters<T> rain_parameters(const ParameterSet& set);

// Duration of a step, s.
template <class T>
T time_step(const ParameterSet& set);

}  // namespace camber::surface_water
