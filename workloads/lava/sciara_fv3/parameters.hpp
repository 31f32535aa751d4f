// Parameters of SCIARA-fv3: by name in the harness, typed in rules and reference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/base/parameters.hpp"
#include "workloads/lava/emission.hpp"
#include "workloads/lava/sciara_fv3/physics.hpp"

namespace camber::sciara_fv3 {

// With the best values for Etna 2006, and the emission `rates`.
std::vector<ParameterInfo> parameters(const lava::EmissionRates& rates);

// The functions below throw Error(usage) for values that make no sense.
template <class R>
OutflowParameters<R> outflow_parameters(const ParameterSet& set);
template <class R>
CoolingParameters<R> cooling_parameters(const ParameterSet& set);

// How long steps are, s: `start` before the first, afterwards `relaxation` times the longest that
// all cells allow, which is at most `longest`.
template <class R>
struct ClockParameters {
    R start = 0;
    R longest = 0;
    R relaxation = 0;
};
template <class R>
ClockParameters<R> clock_parameters(const ParameterSet& set);

// Duration of the last step for the computation; the state has 0 before the first step.
template <class R>
CAMBER_HD R counted(R last, const ClockParameters<R>& clock) {
    return last > 0 ? last : clock.start;
}

// Emission of the vents: rates by vent and time slot.
struct Emission {
    double slot_length = 0;  // s
    int vents = 0;
    int slots = 0;
    double side = 0;            // of a cell, m
    double temperature = 0;     // K
    std::vector<double> rates;  // m^3/s, of the first vent slot by slot, then of the second

    // The slot of a time; `slots` and more: no lava comes.
    double slot(double time) const;
    // The rate of a vent, counted from 0, at a time, m^3/s.
    double rate(int vent, double time) const;
};
Emission emission_parameters(const ParameterSet& set);

// Thickness that a vent adds to its cell, m.
template <class R>
CAMBER_HD R emitted(R rate, R clock, R side) {
    return rate / (side * side) * clock;
}

}  // namespace camber::sciara_fv3
