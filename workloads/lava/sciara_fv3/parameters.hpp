// Parameters of SCIARA-fv3: by name for the harness, typed for rules and reference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/base/parameters.hpp"
#include "workloads/lava/emission.hpp"
#include "workloads/lava/sciara_fv3/physics.hpp"

namespace camber::sciara_fv3 {

// Parameters with the calibrated values for Etna 2006, and the emission `rates`.
std::vector<ParameterInfo> parameters(const lava::EmissionRates& rates);

// The functions below throw Error(usage) for invalid values.
template <class R>
OutflowParameters<R> outflow_parameters(const ParameterSet& set);
template <class R>
CoolingParameters<R> cooling_parameters(const ParameterSet& set);

// Length of steps, s: `start` before the first step; afterwards `relaxation` times the minimum of
// `longest` and the steps that all cells allow.
template <class R>
struct ClockParameters {
    R start = 0;
    R longest = 0;
    R relaxation = 0;
};
template <class R>
ClockParameters<R> clock_parameters(const ParameterSet& set);

// Duration of the last step as used in the computation; before the first step, the state contains
// 0.
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
    std::vector<double> rates;  // m^3/s; all slots of the first vent, then those of the second

    // Slot at `time`; if it is `slots` or more, nothing is emitted.
    double slot(double time) const;
    // Rate of a vent at `time`, m^3/s; vents are counted from 0.
    double rate(int vent, double time) const;
};
Emission emission_parameters(const ParameterSet& set);

// Thickness that a vent adds to its cell, m.
template <class R>
CAMBER_HD R emitted(R rate, R clock, R side) {
    return rate / (side * side) * clock;
}

}  // namespace camber::sciara_fv3
