// Rules around a scattering exchange, in which cells distribute their outflows instead of gathering
// inflows: accumulators need an initial value, and sums are of heat, not of temperature.
#pragma once

#include "workloads/lava/sciara_fv3/rules.hpp"

namespace camber::sciara_fv3 {

// Thickness times temperature, m K. No field of the state: one rule leaves it to the next.
inline constexpr const char* heat_field = "heat";
template <class R>
struct Heat : Input<R, 0> {
    static constexpr const char* field = heat_field;
    CAMBER_HD static constexpr R outside() { return 0; }
};
template <class R>
struct NewHeat : Output<R> {
    static constexpr const char* field = heat_field;
};

// The state to come before any flow: all lava where it is, and no momentum. That of the lava which
// stays is known with the outflows only.
template <class R>
struct HeatSwitch {
    static constexpr const char* step = "heat_switch";
    static constexpr bool closed = true;
    using Inputs = InputList<Thickness<R, 0>, Temperature<R, 0>>;
    using Outputs = OutputList<NewThickness<R>, NewHeat<R>, NewMomentumX<R>, NewMomentumY<R>>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Values<R, R, R, R> next(const At& at, const Parameters&) {
        const R h = at(Thickness<R, 0>{}, 0, 0);
        const R t = at(Temperature<R, 0>{}, 0, 0);
        return values_of(h, h * t, R(0), R(0));
    }
};

// tau_3 of lava whose heat is known. Where there is none, the temperature stays as it was.
template <class R>
struct CoolingOfHeat {
    static constexpr const char* step = "cooling";
    static constexpr bool closed = true;
    using Inputs = InputList<Altitude<R, 0>, Thickness<R, 0>, Heat<R>, Temperature<R, 0>,
                             MomentumX<R>, MomentumY<R>, Solidified<R>, Clock>;
    using Outputs = typename Cooling<R>::Outputs;
    using Parameters = CoolingParameters<R>;

    static Parameters parameters(const ParameterSet& set) { return cooling_parameters<R>(set); }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Values<R, R, R, R, R, R> next(const At& at, const Parameters& parameters) {
        const R h = at(Thickness<R, 0>{}, 0, 0);
        R t;
        if (h > 0)
            t = at(Heat<R>{}, 0, 0) / h;
        else
            t = at(Temperature<R, 0>{}, 0, 0);
        const Settled<R> cell =
            settled<R>({at(Altitude<R, 0>{}, 0, 0), h, t, at(MomentumX<R>{}, 0, 0),
                        at(MomentumY<R>{}, 0, 0), at(Solidified<R>{}, 0, 0)},
                       static_cast<R>(at(Clock{}, 0, 0)), parameters);
        return values_of(cell.altitude, cell.thickness, cell.temperature, cell.momentum_x,
                         cell.momentum_y, cell.solidified);
    }
};

}  // namespace camber::sciara_fv3
