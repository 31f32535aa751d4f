// Rules around a scattering exchange, in which cells distribute their outflows instead of gathering
// inflows: accumulators need an initial value, and sums are of heat, not of temperature.
#pragma once

#include "workloads/lava/sciara_fv2/rules.hpp"

namespace camber::sciara_fv2 {

// Thickness times temperature, m K. No field of the state: one rule leaves it to the next.
inline constexpr const char* heat_field = "heat";
struct Heat : Input<double, 0> {
    static constexpr const char* field = heat_field;
    CAMBER_HD static constexpr double outside() { return 0; }
};
struct NewHeat : Output<double> {
    static constexpr const char* field = heat_field;
};

// The state to come before any flow.
struct HeatSwitch {
    static constexpr const char* step = "heat_switch";
    static constexpr bool closed = true;
    using Inputs = InputList<Thickness<0>, Temperature<0>>;
    using Outputs = OutputList<NewThickness, NewHeat>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Values<double, double> next(const At& at, const Parameters&) {
        const Mixture mixture(at(Thickness<0>{}, 0, 0), at(Temperature<0>{}, 0, 0));
        return {mixture.thickness, {mixture.heat, {}}};
    }
};

// Heat becomes temperature; where there is no lava, that stays as it was.
struct Division {
    static constexpr const char* step = "division";
    static constexpr bool closed = true;
    using Inputs = InputList<Thickness<0>, Heat, Temperature<0>>;
    using Outputs = OutputList<NewTemperature>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static double next(const At& at, const Parameters&) {
        const double h = at(Thickness<0>{}, 0, 0);
        if (h > 0) return at(Heat{}, 0, 0) / h;
        return at(Temperature<0>{}, 0, 0);
    }
};

}  // namespace camber::sciara_fv2
