// Parameters of MAGFLOW, by name in the harness and typed in rules and reference, and the table of
// emission rates over time.
#pragma once

#include <vector>

#include "harness/base/parameters.hpp"
#include "harness/base/target.hpp"
#include "workloads/lava/emission.hpp"
#include "workloads/lava/magflow/physics.hpp"

namespace camber::magflow {

// Effusion of MAGFLOW's vents over time: a table of rates and its interpolation.
struct CurveShape {
    int slots = 0;           // rates of every vent
    double slot_length = 1;  // s
    bool linear = false;     // between the rates; else each holds for a slot
};

// The rate at `time`, where `rate(k)` is that of slot k, m^3/s: 0 before the first and after the
// last.
CAMBER_EXEC_CHECK_DISABLE
template <class Rate>
CAMBER_HD inline double rate_at(const CurveShape& shape, double time, const Rate& rate) {
    const double position = time / shape.slot_length;
    if (!(position >= 0 && position < shape.slots)) return 0;
    const int slot = static_cast<int>(position);
    const double first = rate(slot);
    if (!shape.linear) return first;
    if (slot + 1 == shape.slots) return position == slot ? first : 0;
    const double second = rate(slot + 1);
    return first + (second - first) * (position - slot);
}

// The rates of one cell of each vent: a vent's rate is divided equally among its cells.
struct Effusion {
    CurveShape shape;
    int vents = 0;
    std::vector<double> rates;  // of the first vent, slot by slot, then of the second; m^3/s

    // The rate of a cell of the vent; vents count from 0.
    double at(int vent, double time) const {
        return rate_at(shape, time, [&](int slot) {
            return rates[static_cast<std::size_t>(vent) * shape.slots + slot];
        });
    }
};
// Throws Error(usage) for parameters that make no sense.
Effusion effusion(const ParameterSet& set);

// A Gaussian pulse, daily from its start to its end, which are three standard deviations from its
// middle (the shape that Bilotta et al. 2011 use for Etna 2001: 30 m^3/s at most).
std::vector<double> gaussian_pulse(double highest, int days);

// Parameters of MAGFLOW: by name in the harness, typed in rules and reference.

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
