// Rules of SCIARA-fv3. A step consists of the emission, Candidates, whose minimum sets the clock,
// Outflow, Exchange and Cooling; scattering variants replace the last three.
#pragma once

#include "workloads/lava/sciara_fv2/rules.hpp"
#include "workloads/lava/sciara_fv3/fields.hpp"
#include "workloads/lava/sciara_fv3/parameters.hpp"

namespace camber::sciara_fv3 {

// Gathering rules of SCIARA-fv3.
using sciara_fv2::each_neighbour;
using sciara_fv2::Neighbour;

template <class First, class... Rest>
CAMBER_HD constexpr Values<First, Rest...> values_of(First first, Rest... rest) {
    if constexpr (sizeof...(Rest) == 0)
        return {first, {}};
    else
        return {first, values_of(rest...)};
}

// Inputs that tau_1 reads at and around a cell with lava.
CAMBER_EXEC_CHECK_DISABLE
template <class R, class At>
CAMBER_HD Surroundings<R> surroundings(const At& at, R thickness) {
    Surroundings<R> cell;
    cell.altitude[0] = at(Altitude<R, 1>{}, 0, 0);
    cell.thickness[0] = thickness;
    cell.temperature = at(Temperature<R, 0>{}, 0, 0);
    cell.momentum_x = at(MomentumX<R>{}, 0, 0);
    cell.momentum_y = at(MomentumY<R>{}, 0, 0);
    each_neighbour([&]<int k>(Neighbour<k>) {
        cell.altitude[k] = at(Altitude<R, 1>{}, column_offset(k), row_offset(k));
        cell.thickness[k] = at(Thickness<R, 1>{}, column_offset(k), row_offset(k));
    });
    return cell;
}

// tau_1 in time mode: longest step that a cell's lava allows.
template <class R, Trigonometry form>
struct Candidates {
    static constexpr const char* step = "candidates";
    static constexpr bool closed = true;
    static constexpr bool heavy = true;
    using Inputs =
        InputList<Altitude<R, 1>, Thickness<R, 1>, Temperature<R, 0>, MomentumX<R>, MomentumY<R>>;
    using Outputs = OutputList<NewCandidate<R>>;
    struct Parameters {
        OutflowParameters<R> outflow;
        R longest;  // s
    };

    static Parameters parameters(const ParameterSet& set) {
        return {outflow_parameters<R>(set), clock_parameters<R>(set).longest};
    }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static R next(const At& at, const Parameters& parameters) {
        const R h = at(Thickness<R, 1>{}, 0, 0);
        R step = parameters.longest;
        if (h > 0)
            step = longest_step(descent<form>(surroundings<R>(at, h), parameters.outflow),
                                parameters.longest, parameters.outflow);
        return step;
    }
};

// Outflows of a cell; none if it has no lava.
CAMBER_EXEC_CHECK_DISABLE
template <Trigonometry form, class R, class At>
CAMBER_HD Outflows<R> outflows_at(const At& at, const OutflowParameters<R>& parameters) {
    Outflows<R> out{};
    const R h = at(Thickness<R, 1>{}, 0, 0);
    if (h > 0) {
        const R clock = static_cast<R>(at(Clock{}, 0, 0));
        outflows(descent<form>(surroundings<R>(at, h), parameters), clock, parameters, out);
    }
    return out;
}

// tau_1 in flow mode: outflow of every cell towards each neighbor, and its speed.
template <class R, Trigonometry form>
struct Outflow {
    static constexpr const char* step = "outflow";
    static constexpr bool closed = true;
    static constexpr bool heavy = true;
    using Inputs = InputList<Altitude<R, 1>, Thickness<R, 1>, Temperature<R, 0>, MomentumX<R>,
                             MomentumY<R>, Clock>;
    using Outputs = OutputList<NewFlow<R, 1>, NewFlow<R, 2>, NewFlow<R, 3>, NewFlow<R, 4>,
                               NewFlow<R, 5>, NewFlow<R, 6>, NewFlow<R, 7>, NewFlow<R, 8>,
                               NewSpeed<R, 1>, NewSpeed<R, 2>, NewSpeed<R, 3>, NewSpeed<R, 4>,
                               NewSpeed<R, 5>, NewSpeed<R, 6>, NewSpeed<R, 7>, NewSpeed<R, 8>>;
    using Parameters = OutflowParameters<R>;

    static Parameters parameters(const ParameterSet& set) { return outflow_parameters<R>(set); }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static auto next(const At& at, const Parameters& parameters) {
        const Outflows<R> out = outflows_at<form, R>(at, parameters);
        const auto& f = out.thickness;
        const auto& v = out.speed;
        return values_of(f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], v[0], v[1], v[2], v[3],
                         v[4], v[5], v[6], v[7]);
    }
};

// Inflow from one neighbor.
template <class R>
struct Inflow {
    R thickness = 0;
    R speed = 0;
    R temperature = 0;
};
// tau_2 in one cell. out(Neighbor<k>) returns the outflow towards neighbor k, in(Neighbor<k>) the
// inflow from there. Returns thickness, temperature and momentum.
CAMBER_EXEC_CHECK_DISABLE
template <class R, class Out, class In>
CAMBER_HD Values<R, R, R, R> exchanged(Staying<R> cell, const Law<R>& loss, const Out& out,
                                       const In& in) {
    R own[neighbours];
    each_neighbour([&]<int k>(Neighbour<k> neighbour) {
        own[k - 1] = out(neighbour);
        cell.outflow += own[k - 1];
    });
    Mixture<R> mixture = cell.mixture(loss);
    each_neighbour([&]<int k>(Neighbour<k> neighbour) {
        const Inflow<R> from = in(neighbour);
        mixture.give(own[k - 1], cell.temperature);
        mixture.take(opposite(k), from.thickness, from.speed, from.temperature);
    });
    const R temperature =
        mixture.thickness > 0 ? mixture.heat / mixture.thickness : cell.temperature;
    return values_of(mixture.thickness, temperature, mixture.momentum_x, mixture.momentum_y);
}

// tau_2: exchange of mass, heat and momentum.
template <class R>
struct Exchange {
    static constexpr const char* step = "exchange";
    static constexpr bool closed = true;
    static constexpr bool heavy = true;
    using Inputs = InputList<Thickness<R, 0>, Temperature<R, 1>, MomentumX<R>, MomentumY<R>,
                             Flow<R, 1>, Flow<R, 2>, Flow<R, 3>, Flow<R, 4>, Flow<R, 5>, Flow<R, 6>,
                             Flow<R, 7>, Flow<R, 8>, Speed<R, 1>, Speed<R, 2>, Speed<R, 3>,
                             Speed<R, 4>, Speed<R, 5>, Speed<R, 6>, Speed<R, 7>, Speed<R, 8>>;
    using Outputs =
        OutputList<NewThickness<R>, NewTemperature<R>, NewMomentumX<R>, NewMomentumY<R>>;
    struct Parameters {
        Law<R> loss;
    };

    static Parameters parameters(const ParameterSet& set) {
        return {outflow_parameters<R>(set).loss};
    }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Values<R, R, R, R> next(const At& at, const Parameters& parameters) {
        return exchanged<R>(
            {at(Thickness<R, 0>{}, 0, 0), at(Temperature<R, 1>{}, 0, 0), at(MomentumX<R>{}, 0, 0),
             at(MomentumY<R>{}, 0, 0), 0},
            parameters.loss, [&]<int k>(Neighbour<k>) -> R { return at(Flow<R, k>{}, 0, 0); },
            [&]<int k>(Neighbour<k>) -> Inflow<R> {
                constexpr int column = column_offset(k);
                constexpr int row = row_offset(k);
                return {at(Flow<R, opposite(k)>{}, column, row),
                        at(Speed<R, opposite(k)>{}, column, row),
                        at(Temperature<R, 1>{}, column, row)};
            });
    }
};

// tau_3: cells cool, or solidify and become ground.
template <class R>
struct Cooling {
    static constexpr const char* step = "cooling";
    static constexpr bool closed = true;
    using Inputs = InputList<Altitude<R, 0>, Thickness<R, 0>, Temperature<R, 0>, MomentumX<R>,
                             MomentumY<R>, Solidified<R>, Clock>;
    using Outputs = OutputList<NewAltitude<R>, NewThickness<R>, NewTemperature<R>, NewMomentumX<R>,
                               NewMomentumY<R>, NewSolidified<R>>;
    using Parameters = CoolingParameters<R>;

    static Parameters parameters(const ParameterSet& set) { return cooling_parameters<R>(set); }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Values<R, R, R, R, R, R> next(const At& at, const Parameters& parameters) {
        const Settled<R> cell = settled<R>(
            {at(Altitude<R, 0>{}, 0, 0), at(Thickness<R, 0>{}, 0, 0), at(Temperature<R, 0>{}, 0, 0),
             at(MomentumX<R>{}, 0, 0), at(MomentumY<R>{}, 0, 0), at(Solidified<R>{}, 0, 0)},
            static_cast<R>(at(Clock{}, 0, 0)), parameters);
        return values_of(cell.altitude, cell.thickness, cell.temperature, cell.momentum_x,
                         cell.momentum_y, cell.solidified);
    }
};

// Rules for scattering exchanges, in which cells distribute their outflows instead of gathering
// inflows: accumulators need an initial value, and sums are of heat instead of temperature.

// Thickness times temperature, m K. The field is not part of the state but passed from one rule to
// the next.
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

// Initial values of the accumulators: all lava in its cell, and no momentum. The momentum of the
// lava that stays is added with the outflows, because it depends on them.
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

// tau_3 for lava with given heat. Cells without lava keep their temperature.
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
