// The numbers of MAGFLOW: by name in the harness, by type in rules and reference.
#pragma once

#include <vector>

#include "harness/base/parameters.hpp"
#include "workloads/lava/emission.hpp"
#include "workloads/magflow/physics.hpp"

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

// Whether sums are to carry what rounding lost.
bool compensated(const ParameterSet& set);

// Whether a step is as long as the fluxes of the step before allow (Rustico 2012, section 9.2); the
// first one as its own do. Only places that share a board compute so.
inline constexpr const char* lag_parameter = "lag";
bool lagged(const ParameterSet& set);

}  // namespace camber::magflow
