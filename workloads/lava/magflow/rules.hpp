// Stencil rule of MAGFLOW: all flows of a step, and the longest step that they allow.
#pragma once

#include <type_traits>
#include <utility>

#include "workloads/lava/magflow/fields.hpp"
#include "workloads/lava/magflow/parameters.hpp"

namespace camber::magflow {

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

// `compensated`: sums carry what rounding lost. `keeps_limit`: the longest step of every cell is
// written, for a kernel of its own to find the least; else only returned.
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

    // `cell(dcol, drow)`: the lava of a neighbor, or of the cell itself.
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
