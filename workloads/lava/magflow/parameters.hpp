// Parameters of MAGFLOW: by name in the harness, typed in rules and reference.
#pragma once

#include <vector>

#include "harness/base/parameters.hpp"
#include "workloads/lava/emission.hpp"
#include "workloads/lava/magflow/physics.hpp"

namespace camber::magflow {

// With the values for Etna, the emission `rates`, and the number of cells that each of their vents
// opens in.
std::vector<ParameterInfo> parameters(const lava::EmissionRates& rates,
                                      const std::vector<double>& vent_cells);

// The functions below throw Error(usage) for values that make no sense. Constants are computed in
// double and rounded once.
template <class R>
FlowParameters<R> flow_parameters(const ParameterSet& set);
template <class R>
UpdateParameters<R> update_parameters(const ParameterSet& set);
double longest_step(const ParameterSet& set);  // s
double cell_area(const ParameterSet& set);     // m^2

// True if sums carry their rounding errors.
bool compensated(const ParameterSet& set);

// If set, the fluxes of the previous step limit the length of a step (Rustico 2012, section 9.2);
// the first step uses its own. Only devices that share a board compute in this way.
inline constexpr const char* lag_parameter = "lag";
bool lagged(const ParameterSet& set);

}  // namespace camber::magflow
