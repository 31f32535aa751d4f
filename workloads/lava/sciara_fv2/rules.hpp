// Rules of SCIARA-fv2 and their fields: gathering and scattering forms of a step, all with the same
// physics. A step begins with the emission, which is not a rule.
#pragma once

#include <cstdint>
#include <utility>

#include "workloads/core/rule.hpp"
#include "workloads/lava/fields.hpp"
#include "workloads/lava/sciara_fv2/parameters.hpp"

namespace camber::sciara_fv2 {

// Fields of SCIARA-fv2.

// Altitude of the ground, m.
template <int Radius>
struct Altitude : FieldInput<double, Radius, lava::altitude_field> {};
struct NewAltitude : FieldOutput<double, lava::altitude_field> {};

// Thickness of liquid lava, m.
template <int Radius>
struct Thickness : FieldInput<double, Radius, lava::thickness_field> {};
struct NewThickness : FieldOutput<double, lava::thickness_field> {};

// Temperature of liquid lava, K.
template <int Radius>
struct Temperature : FieldInput<double, Radius, lava::temperature_field> {};
struct NewTemperature : FieldOutput<double, lava::temperature_field> {};

// Thickness of solid lava, m.
struct Solidified : FieldInput<double, 0, lava::solidified_field> {};
struct NewSolidified : FieldOutput<double, lava::solidified_field> {};

// Nonzero in cells that do not take part. All other cells have eight neighbors on the board.
template <int Radius>
struct Frame : Input<std::uint8_t, Radius> {
    static constexpr const char* field = "frame";
    static constexpr bool constant = true;
    CAMBER_HD static constexpr std::uint8_t outside() { return 1; }
};

// Outflow towards neighbor k in a step, m. The field is not part of the state but passed from one
// rule to the next.
namespace flow_detail {
inline constexpr const char* names[] = {"flow_n",  "flow_w",  "flow_e",  "flow_s",
                                        "flow_nw", "flow_sw", "flow_se", "flow_ne"};
}
template <int k>
struct Flow : Input<double, 1> {
    static constexpr const char* field = flow_detail::names[k - 1];
    CAMBER_HD static constexpr double outside() { return 0; }
};
template <int k>
struct NewFlow : Output<double> {
    static constexpr const char* field = flow_detail::names[k - 1];
};

// Gathering rules of SCIARA-fv2. A step consists of the emission, Outflows, Exchange and Cooling;
// Transport can replace Outflows and Exchange. All forms give the same bits.
template <int k>
struct Neighbour {};

// Calls f(Neighbour<k>{}) for k = 1 to 8 in order.
CAMBER_EXEC_CHECK_DISABLE
template <class F>
CAMBER_HD constexpr void each_neighbour(F&& f) {
    [&]<int... k>(std::integer_sequence<int, k...>) {
        (f(Neighbour<k + 1>{}), ...);
    }
    (std::make_integer_sequence<int, neighbours>{});
}

using Flows = Values<double, double, double, double, double, double, double, double>;

CAMBER_HD inline Flows values_of(const double (&f)[neighbours]) {
    return {f[0], {f[1], {f[2], {f[3], {f[4], {f[5], {f[6], {f[7], {}}}}}}}}};
}

// tau_1: outflow of every cell towards each neighbor.
struct Outflows {
    static constexpr const char* step = "outflows";
    static constexpr bool closed = true;
    static constexpr bool heavy = true;
    using Inputs = InputList<Altitude<1>, Thickness<1>, Temperature<0>, Frame<0>>;
    using Outputs = OutputList<NewFlow<1>, NewFlow<2>, NewFlow<3>, NewFlow<4>, NewFlow<5>,
                               NewFlow<6>, NewFlow<7>, NewFlow<8>>;
    using Parameters = OutflowParameters;

    static Parameters parameters(const ParameterSet& set) { return outflow_parameters(set); }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Flows next(const At& at, const Parameters& parameters) {
        double flows[neighbours] = {};
        const double h = at(Thickness<1>{}, 0, 0);
        const bool takes_part = at(Frame<0>{}, 0, 0) == 0;
        if (takes_part && h > 0) {
            double heads[neighbours + 1];
            heads[0] = at(Altitude<1>{}, 0, 0);
            each_neighbour([&]<int k>(Neighbour<k>) {
                heads[k] = head(k, heads[0], at(Altitude<1>{}, column_offset(k), row_offset(k)),
                                at(Thickness<1>{}, column_offset(k), row_offset(k)));
            });
            outflows(heads, h, at(Temperature<0>{}, 0, 0), parameters, flows);
        }
        return values_of(flows);
    }
};

// State after the exchange of a cell that had thickness h and temperature t; unchanged if no lava
// is left.
CAMBER_HD inline Values<double, double> after_exchange(const Mixture& mixture, double h, double t) {
    if (mixture.thickness > 0) return {mixture.thickness, {mixture.heat / mixture.thickness, {}}};
    return {h, {t, {}}};
}

// tau_2: exchange of mass and heat.
struct Exchange {
    static constexpr const char* step = "exchange";
    static constexpr bool closed = true;
    static constexpr bool heavy = true;
    using Inputs = InputList<Thickness<0>, Temperature<1>, Frame<0>, Flow<1>, Flow<2>, Flow<3>,
                             Flow<4>, Flow<5>, Flow<6>, Flow<7>, Flow<8>>;
    using Outputs = OutputList<NewThickness, NewTemperature>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Values<double, double> next(const At& at, const Parameters&) {
        const double h = at(Thickness<0>{}, 0, 0);
        const double t = at(Temperature<1>{}, 0, 0);
        if (at(Frame<0>{}, 0, 0) != 0) return {h, {t, {}}};
        Mixture mixture(h, t);
        each_neighbour([&]<int k>(Neighbour<k>) {
            const double in = at(Flow<opposite(k)>{}, column_offset(k), row_offset(k));
            const double t_k = at(Temperature<1>{}, column_offset(k), row_offset(k));
            mixture.exchange(in, t_k, at(Flow<k>{}, 0, 0), t);
        });
        return after_exchange(mixture, h, t);
    }
};

// tau_1 and tau_2 in one rule, for kernels that keep flows in registers or shared memory.
struct Transport {
    static constexpr const char* step = "transport";
    static constexpr bool closed = true;
    static constexpr bool heavy = true;
    using Inputs = InputList<Altitude<2>, Thickness<2>, Temperature<1>, Frame<1>>;
    using Outputs = OutputList<NewThickness, NewTemperature>;
    using Parameters = OutflowParameters;

    static Parameters parameters(const ParameterSet& set) { return outflow_parameters(set); }
};

// tau_3: cells cool, or solidify and become ground. Lava on the frame is removed.
struct Cooling {
    static constexpr const char* step = "cooling";
    static constexpr bool closed = true;
    using Inputs = InputList<Altitude<0>, Thickness<0>, Temperature<0>, Solidified, Frame<0>>;
    using Outputs = OutputList<NewAltitude, NewThickness, NewTemperature, NewSolidified>;
    using Parameters = CoolingParameters;

    static Parameters parameters(const ParameterSet& set) { return cooling_parameters(set); }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Values<double, double, double, double> next(const At& at,
                                                                 const Parameters& parameters) {
        const double z = at(Altitude<0>{}, 0, 0);
        const double h = at(Thickness<0>{}, 0, 0);
        const double t = at(Temperature<0>{}, 0, 0);
        const double solid = at(Solidified{}, 0, 0);
        if (at(Frame<0>{}, 0, 0) != 0) return {z, {0, {0, {solid, {}}}}};
        if (!(h > 0)) return {z, {h, {t, {solid, {}}}}};
        const double cold = cooled(t, h, parameters);
        if (cold > parameters.solid) return {z, {h, {cold, {solid, {}}}}};
        return {z + h, {0, {parameters.solid, {solid + h, {}}}}};
    }
};

// Removal of lava from the frame in a separate last step, as in the public programs.

// Removes all lava from cells of the frame.
struct FrameClearing {
    static constexpr const char* step = "frame";
    static constexpr bool closed = true;
    using Inputs = InputList<Thickness<0>, Temperature<0>, Frame<0>>;
    using Outputs = OutputList<NewThickness, NewTemperature>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Values<double, double> next(const At& at, const Parameters&) {
        if (at(Frame<0>{}, 0, 0) != 0) return {0, {0, {}}};
        return {at(Thickness<0>{}, 0, 0), {at(Temperature<0>{}, 0, 0), {}}};
    }
};

// Rules for scattering exchanges, in which cells distribute their outflows instead of gathering
// inflows: accumulators need an initial value, and sums are of heat instead of temperature.

// Thickness times temperature, m K. The field is not part of the state but passed from one rule to
// the next.
inline constexpr const char* heat_field = "heat";
struct Heat : Input<double, 0> {
    static constexpr const char* field = heat_field;
    CAMBER_HD static constexpr double outside() { return 0; }
};
struct NewHeat : Output<double> {
    static constexpr const char* field = heat_field;
};

// Initial values of the accumulators: the state before any flow.
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

// Converts heat to temperature; cells without lava keep their temperature.
struct HeatDivision {
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
