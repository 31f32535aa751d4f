// Parameters of SCIARA-fv2: by name for the harness, typed for rules and reference.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/parameters.hpp"
#include "workloads/lava/emission.hpp"
#include "workloads/lava/sciara_fv2/physics.hpp"

namespace camber::sciara_fv2 {

// Number of steps before the start of the run.
inline constexpr const char* first_step_parameter = "first_step";

// Parameters with the values for Etna 2006 (Spataro et al. 2010, Table 1) and the emission `rates`.
std::vector<ParameterInfo> parameters(const lava::EmissionRates& rates);

// The functions below throw Error(usage) for invalid values.
OutflowParameters outflow_parameters(const ParameterSet& set);
CoolingParameters cooling_parameters(const ParameterSet& set);

// Emission of the vents in one step of the clock.
struct Emission {
    double clock = 0;             // s
    double area = 0;              // of a cell, m^2
    double vent_temperature = 0;  // K
    lava::EmissionRates rates;
    std::int64_t first_step = 0;  // number of steps before the run

    // Thickness that a vent adds to its cell in step n of the run, m; n is counted from 1, `vent`
    // from 0.
    double thickness(int vent, std::int64_t n) const;
    // Time of the end of all emission, s.
    double duration() const;
};
Emission emission_parameters(const ParameterSet& set);

// Stop rule of the public implementations.
struct StopRule {
    bool active = false;          // false: the run ends after the requested number of steps
    std::int64_t most_steps = 0;  // 0: unlimited
    std::int64_t reduce_interval = 1000;
    double threshold = 1;  // total thickness, m

    // True if step n + 1 follows step n, which ended at `time` seconds. `total` is the total
    // thickness at the last multiple of the interval; it is negative before the first.
    bool goes_on(std::int64_t n, double time, double duration, double total) const;
};
StopRule stop_rule(const ParameterSet& set);

}  // namespace camber::sciara_fv2
