// Parameters of MAGFLOW, by name for the harness and typed for rules and reference, and the table
// of emission rates over time.
#pragma once

#include <vector>

#include "harness/base/parameters.hpp"
#include "harness/base/target.hpp"
#include "workloads/lava/emission.hpp"
#include "workloads/lava/magflow/physics.hpp"

namespace camber::magflow {

// Time dependence of a vent's effusion: number of rates and their interpolation.
struct CurveShape {
    int slots = 0;           // number of rates per vent
    double slot_length = 1;  // s
    bool linear = false;     // true: interpolated between rates; false: constant within a slot
};

// Effusion rate at `time`, m^3/s; rate(k) returns the rate of slot k. 0 before the first slot and
// after the last.
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

// Effusion rates per cell: a vent's rate is divided equally among its cells.
struct Effusion {
    CurveShape shape;
    int vents = 0;
    std::vector<double> rates;  // m^3/s; all slots of the first vent, then those of the second

    // Rate of one cell of a vent; vents are counted from 0.
    double at(int vent, double time) const {
        return rate_at(shape, time, [&](int slot) {
            return rates[static_cast<std::size_t>(vent) * shape.slots + slot];
        });
    }
};
// Throws Error(usage) for invalid parameters.
Effusion effusion(const ParameterSet& set);

// Gaussian pulse, sampled daily; start and end are three standard deviations from the middle.
// Bilotta et al. 2011 use this shape for Etna 2001, with a peak of 30 m^3/s.
std::vector<double> gaussian_pulse(double highest, int days);

// Parameters of a run.

// Parameters with default values for Etna, the emission `rates`, and the number of cells of each
// vent.
std::vector<ParameterInfo> parameters(const lava::EmissionRates& rates,
                                      const std::vector<double>& vent_cells);

// The functions below throw Error(usage) for invalid values. Constants are computed in double and
// rounded once.
template <class R>
FlowParameters<R> flow_parameters(const ParameterSet& set);
template <class R>
UpdateParameters<R> update_parameters(const ParameterSet& set);
double longest_step(const ParameterSet& set);  // s
double cell_area(const ParameterSet& set);     // m^2

// True if sums are compensated, that is, carry their rounding errors.
bool compensated(const ParameterSet& set);

// If set, the fluxes of the previous step limit the length of a step (Rustico 2012, section 9.2);
// the first step uses its own fluxes. Only devices that share a board compute in this way.
inline constexpr const char* lag_parameter = "lag";
bool lagged(const ParameterSet& set);

}  // namespace camber::magflow
