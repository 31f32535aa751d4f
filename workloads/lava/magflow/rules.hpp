// Stencil rule of MAGFLOW, which computes all fluxes of a step and the longest step that they
// allow, and the fields that the rules read and write.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "workloads/core/rule.hpp"
#include "workloads/lava/fields.hpp"
#include "workloads/lava/magflow/parameters.hpp"
#include "workloads/lava/magflow/physics.hpp"

namespace camber::magflow {

// Fields of MAGFLOW; R is float or double.

// Altitude of the ground, m; a wall if there are no data.
template <class R, int Radius>
struct Altitude : Input<R, Radius> {
    static constexpr const char* field = "altitude";
    static constexpr bool constant = true;
    CAMBER_HD static constexpr R outside() { return R(wall); }
};

// Thickness of solid lava, m.
template <class R, int Radius>
struct Solidified : FieldInput<R, Radius, lava::solidified_field> {};

// Thickness of fluid lava, m.
template <class R, int Radius>
struct Thickness : FieldInput<R, Radius, lava::thickness_field> {};

// Temperature of fluid lava, K.
template <class R, int Radius>
struct Temperature : FieldInput<R, Radius, lava::temperature_field> {};

// 0, or the number of the vent in the cell, counted from 1.
struct Vents : Input<std::uint8_t, 0> {
    static constexpr const char* field = "vents";
    static constexpr bool constant = true;
    CAMBER_HD static constexpr std::uint8_t outside() { return 0; }
};

// Emission rate of a vent in this step, m^3/s; defined only in cells with a vent. Like the fields
// below, it is not part of the state but passed from one rule to the next.
template <class R>
struct Emission : Input<R, 0> {
    static constexpr const char* field = "emission";
    CAMBER_HD static constexpr R outside() { return 0; }
};

// Net inflow of a cell, m^3/s, and of its heat as volume times temperature, m^3 K/s.
template <class R>
struct NewVolumeFlux : Output<R> {
    static constexpr const char* field = "volume_flux";
};
template <class R>
struct NewHeatFlux : Output<R> {
    static constexpr const char* field = "heat_flux";
};
// Longest step that a cell allows, s.
template <class R>
struct NewStepLimit : Output<R> {
    static constexpr const char* field = "step_limit";
};

// Stencil rule of MAGFLOW: all fluxes of a step, and the longest step that they allow.
template <int k>
struct Neighbour {};

// Calls f(Neighbour<k>{}) for k = 0 to 7 in order.
CAMBER_EXEC_CHECK_DISABLE
template <class F>
CAMBER_HD constexpr void each_neighbour(F&& f) {
    [&]<int... k>(std::integer_sequence<int, k...>) {
        (f(Neighbour<k>{}), ...);
    }
    (std::make_integer_sequence<int, neighbours>{});
}

// If `compensated`, sums are compensated. If `keeps_limit`, the longest step of every cell is
// written for a separate minimum kernel; otherwise it is only returned.
template <class R, bool compensated, bool keeps_limit = true>
struct Flux {
    static constexpr const char* step = "flux";
    static constexpr bool closed = true;
    static constexpr bool heavy = true;
    using Inputs = InputList<Altitude<R, 1>, Solidified<R, 1>, Thickness<R, 1>, Temperature<R, 1>,
                             Vents, Emission<R>>;
    using Outputs =
        std::conditional_t<keeps_limit,
                           OutputList<NewVolumeFlux<R>, NewHeatFlux<R>, NewStepLimit<R>>,
                           OutputList<NewVolumeFlux<R>, NewHeatFlux<R>>>;
    using Parameters = FlowParameters<R>;

    static Parameters parameters(const ParameterSet& set) { return flow_parameters<R>(set); }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Values<R, R, R> next(const At& at, const Parameters& p) {
        const auto cell = [&](int dcol, int drow) { return lava(at, dcol, drow); };
        return gathered(cell, emission(at), p);
    }

    // cell(dcol, drow) returns the lava of a neighbor, or of the cell itself.
    CAMBER_EXEC_CHECK_DISABLE
    template <class Cell>
    CAMBER_HD static Values<R, R, R> gathered(const Cell& cell, R emission, const Parameters& p) {
        const Lava<R> own = cell(0, 0);
        CellFlux<R, compensated> sum(emission, p);
        each_neighbour([&]<int k>(Neighbour<k>) {
            const Lava<R> other = cell(column_offset(k), row_offset(k));
            sum.add(exchange(own, other, p.distance[is_diagonal(k)], p));
        });
        return {sum.volume.value,
                {sum.heat.value, {step_limit(own.thickness, sum.outflow, p), {}}}};
    }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static R emission(const At& at) {
        R rate = 0;
        if (at(Vents{}, 0, 0) != 0) rate = at(Emission<R>{}, 0, 0);
        return rate;
    }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Lava<R> lava(const At& at, int dcol, int drow) {
        const R altitude = at(Altitude<R, 1>{}, dcol, drow);
        const R solid = at(Solidified<R, 1>{}, dcol, drow);
        const R h = at(Thickness<R, 1>{}, dcol, drow);
        const R t = at(Temperature<R, 1>{}, dcol, drow);
        return {altitude + solid, h, t};
    }
};

}  // namespace camber::magflow
