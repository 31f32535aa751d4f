// Rules of surface water and their fields: a generation is Rain, Infiltration, then Flow; Outflow
// and Gather can replace Flow, and SurfaceWaterStep can replace all. All forms give the same bits.
#pragma once

#include "workloads/core/rule.hpp"
#include "workloads/water/surface_water/physics.hpp"

namespace camber::surface_water {

// Fields of surface water.

// Altitude of the ground, m.
template <class T, int Radius>
struct Terrain : Input<T, Radius> {
    static constexpr const char* field = "terrain";
    static constexpr bool constant = true;
    CAMBER_HD static constexpr T outside() { return static_cast<T>(1e30f); }
};

// Depth of the water, m.
template <class T, int Radius>
struct Depth : Input<T, Radius> {
    static constexpr const char* field = "depth";
    CAMBER_HD static constexpr T outside() { return 0; }
};
template <class T>
struct NewDepth : Output<T> {
    static constexpr const char* field = "depth";
};

// Infiltration rate of the ground, m/s.
template <class T, int Radius>
struct InfiltrationRate : Input<T, Radius> {
    static constexpr const char* field = "infiltration";
    static constexpr bool constant = true;
    CAMBER_HD static constexpr T outside() { return static_cast<T>(1e30f); }
};

// Outflow of a cell in a step, m. The field is not part of the state but passed from one rule to
// the next.
template <class T>
struct Discharge : Input<T, 0> {
    static constexpr const char* field = "discharge";
    CAMBER_HD static constexpr T outside() { return 0; }
};
template <class T>
struct NewDischarge : Output<T> {
    static constexpr const char* field = "discharge";
};

// Outflow of a cell in a step per m of drop to a neighbor.
template <class T>
struct OutflowPerDrop : Input<T, 1> {
    static constexpr const char* field = "outflow_per_drop";
    CAMBER_HD static constexpr T outside() { return 0; }
};
template <class T>
struct NewOutflowPerDrop : Output<T> {
    static constexpr const char* field = "outflow_per_drop";
};

// Generations since a cell last released water; in the first form only.
template <class T>
struct Clock : Input<T, 0> {
    static constexpr const char* field = "clock";
    CAMBER_HD static constexpr T outside() { return 0; }
};
template <class T>
struct NewClock : Output<T> {
    static constexpr const char* field = "clock";
};

// Inflow of a cell from its neighbors in a step, m; reset for the next step. The field is not part
// of the state: the first form of the model accumulates it at the receiver.
template <class T>
struct Gain : Input<T, 0> {
    static constexpr const char* field = "gain";
    CAMBER_HD static constexpr T outside() { return 0; }
};
template <class T>
struct NewGain : Output<T> {
    static constexpr const char* field = "gain";
};

// Rules of surface water.
//
// Rain, Infiltration and Flow are the kernels `add`, `remove` and `process` of the revised model
// (Balasalle 2011, section 6.3), which is a strict cellular automaton: loss and gain both follow
// from the depths after infiltration. No read depends on a value that was read before. All release
// water at a rate, except for ClockedOutflow.

// Rain on every cell. Inert cells get rain, too, and are dry again after Infiltration.
template <class T>
struct Rain {
    static constexpr const char* step = "rain";
    static constexpr bool closed = true;
    using Inputs = InputList<Depth<T, 0>>;
    using Outputs = OutputList<NewDepth<T>>;
    using Parameters = RainParameters<T>;

    static Parameters parameters(const ParameterSet& set) { return rain_parameters<T>(set); }
    CAMBER_HD static Parameters later(const Parameters& parameters, int generations) {
        return parameters.later(generations);
    }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static T next(const At& at, const Parameters& rain) {
        return at(Depth<T, 0>{}, 0, 0) + rain.now();
    }
};

template <class T>
struct Infiltration {
    static constexpr const char* step = "infiltration";
    static constexpr bool closed = true;
    using Inputs = InputList<Depth<T, 0>, InfiltrationRate<T, 0>>;
    using Outputs = OutputList<NewDepth<T>>;
    struct Parameters {
        T dt;
    };

    static Parameters parameters(const ParameterSet& set) { return {time_step<T>(set)}; }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static T next(const At& at, const Parameters& parameters) {
        const T depth = at(Depth<T, 0>{}, 0, 0);
        return depth - infiltrated(depth, at(InfiltrationRate<T, 0>{}, 0, 0), parameters.dt);
    }
};

// Ground and water around a cell, each value read once; (dcol, drow) from -Radius to Radius.
template <class T, int Radius>
class Surroundings {
  public:
    CAMBER_HD T& terrain(int dcol, int drow) { return terrain_[drow + Radius][dcol + Radius]; }
    CAMBER_HD T& depth(int dcol, int drow) { return depth_[drow + Radius][dcol + Radius]; }
    CAMBER_HD T terrain(int dcol, int drow) const { return terrain_[drow + Radius][dcol + Radius]; }
    CAMBER_HD T depth(int dcol, int drow) const { return depth_[drow + Radius][dcol + Radius]; }

    // Drop from one cell to another.
    CAMBER_HD T drop(int dcol_i, int drow_i, int dcol_j, int drow_j) const {
        return surface_water::drop(terrain(dcol_i, drow_i), depth(dcol_i, drow_i),
                                   terrain(dcol_j, drow_j), depth(dcol_j, drow_j));
    }
    // Drops from a cell, at most Radius - 1 away, to its neighbors.
    CAMBER_HD Drops<T> drops(int dcol, int drow) const {
        Drops<T> drops;
        each_neighbour([&](int, int x, int y) {
            drops.add(drop(dcol, drow, dcol + x, drow + y), x != 0 && y != 0);
        });
        return drops;
    }
    CAMBER_HD Loss<T> loss(int dcol, int drow, const FlowParameters<T>& parameters) const {
        return loss_at_rate(depth(dcol, drow), drops(dcol, drow), parameters);
    }

  private:
    T terrain_[2 * Radius + 1][2 * Radius + 1];
    T depth_[2 * Radius + 1][2 * Radius + 1];
};

// Calls f(dcol, drow) for all cells of a neighborhood with this radius; the arguments are
// compile-time constants.
CAMBER_EXEC_CHECK_DISABLE
template <int Radius, class F>
CAMBER_HD constexpr void each_cell(F&& f) {
    const auto row = [&f](int drow) {
        if constexpr (Radius == 2) f(-2, drow);
        f(-1, drow);
        f(0, drow);
        f(1, drow);
        if constexpr (Radius == 2) f(2, drow);
    };
    if constexpr (Radius == 2) row(-2);
    row(-1);
    row(0);
    row(1);
    if constexpr (Radius == 2) row(2);
}

template <class T>
CAMBER_HD T depth_after_flow(const Surroundings<T, 2>& around,
                             const FlowParameters<T>& parameters) {
    T gain = 0;
    each_neighbour([&](int, int dcol, int drow) {
        gain += share(around.loss(dcol, drow, parameters).per_drop, around.drop(dcol, drow, 0, 0));
    });
    return (around.depth(0, 0) - around.loss(0, 0, parameters).discharge) + gain;
}

// Loss and gain in one rule, at the price of computing the losses of eight neighbors as well.
template <class T>
struct Flow {
    static constexpr const char* step = "flow";
    static constexpr bool closed = true;
    static constexpr bool heavy = true;
    using Inputs = InputList<Terrain<T, 2>, Depth<T, 2>>;
    using Outputs = OutputList<NewDepth<T>>;
    using Parameters = FlowParameters<T>;

    static Parameters parameters(const ParameterSet& set) { return flow_parameters<T>(set); }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static T next(const At& at, const Parameters& parameters) {
        Surroundings<T, 2> around;
        each_cell<2>([&](int dcol, int drow) {
            around.terrain(dcol, drow) = at(Terrain<T, 2>{}, dcol, drow);
            around.depth(dcol, drow) = at(Depth<T, 2>{}, dcol, drow);
        });
        return depth_after_flow(around, parameters);
    }
};

// Outflow of every cell, for Gather.
template <class T>
struct Outflow {
    static constexpr const char* step = "outflow";
    static constexpr bool closed = true;
    using Inputs = InputList<Terrain<T, 1>, Depth<T, 1>>;
    using Outputs = OutputList<NewDischarge<T>, NewOutflowPerDrop<T>>;
    using Parameters = FlowParameters<T>;

    static Parameters parameters(const ParameterSet& set) { return flow_parameters<T>(set); }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Values<T, T> next(const At& at, const Parameters& parameters) {
        Surroundings<T, 1> around;
        each_cell<1>([&](int dcol, int drow) {
            around.terrain(dcol, drow) = at(Terrain<T, 1>{}, dcol, drow);
            around.depth(dcol, drow) = at(Depth<T, 1>{}, dcol, drow);
        });
        const Loss<T> loss = around.loss(0, 0, parameters);
        return {loss.discharge, {loss.per_drop, {}}};
    }
};

// Same with a release by clocks, which it advances.
template <class T>
struct ClockedOutflow {
    static constexpr const char* step = "outflow";
    static constexpr bool closed = true;
    using Inputs = InputList<Terrain<T, 1>, Depth<T, 1>, Clock<T>>;
    using Outputs = OutputList<NewDischarge<T>, NewOutflowPerDrop<T>, NewClock<T>>;
    using Parameters = FlowParameters<T>;

    static Parameters parameters(const ParameterSet& set) { return flow_parameters<T>(set); }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Values<T, T, T> next(const At& at, const Parameters& parameters) {
        Surroundings<T, 1> around;
        each_cell<1>([&](int dcol, int drow) {
            around.terrain(dcol, drow) = at(Terrain<T, 1>{}, dcol, drow);
            around.depth(dcol, drow) = at(Depth<T, 1>{}, dcol, drow);
        });
        const TimedLoss<T> timed = loss_by_clock(at(Clock<T>{}, 0, 0), around.depth(0, 0),
                                                 around.drops(0, 0), parameters);
        return {timed.loss.discharge, {timed.loss.per_drop, {timed.clock, {}}}};
    }
};

// Subtracts every cell's outflow and adds its share of the neighbors' outflow.
template <class T>
struct Gather {
    static constexpr const char* step = "gather";
    static constexpr bool closed = true;
    using Inputs = InputList<Terrain<T, 1>, Depth<T, 1>, OutflowPerDrop<T>, Discharge<T>>;
    using Outputs = OutputList<NewDepth<T>>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static T next(const At& at, const Parameters&) {
        const T terrain = at(Terrain<T, 1>{}, 0, 0);
        const T depth = at(Depth<T, 1>{}, 0, 0);
        T gain = 0;
        each_neighbour([&](int, int dcol, int drow) {
            gain += share(at(OutflowPerDrop<T>{}, dcol, drow),
                          drop(at(Terrain<T, 1>{}, dcol, drow), at(Depth<T, 1>{}, dcol, drow),
                               terrain, depth));
        });
        return (depth - at(Discharge<T>{}, 0, 0)) + gain;
    }
};

// Last step of the first form: subtracts the outflow, adds the accumulated inflow, and resets the
// latter for the next step (Balasalle 2011, section 6.1).
template <class T>
struct Settle {
    static constexpr const char* step = "settle";
    static constexpr bool closed = true;
    using Inputs = InputList<Depth<T, 0>, Discharge<T>, Gain<T>>;
    using Outputs = OutputList<NewDepth<T>, NewGain<T>>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Values<T, T> next(const At& at, const Parameters&) {
        const T change = at(Gain<T>{}, 0, 0) - at(Discharge<T>{}, 0, 0);
        return {at(Depth<T, 0>{}, 0, 0) + change, {T(0), {}}};
    }
};

// A whole generation in one rule.
template <class T>
struct SurfaceWaterStep {
    static constexpr const char* step = "surface_water";
    static constexpr bool closed = true;
    static constexpr bool heavy = true;
    using Inputs = InputList<Terrain<T, 2>, Depth<T, 2>, InfiltrationRate<T, 2>>;
    using Outputs = OutputList<NewDepth<T>>;
    struct Parameters {
        RainParameters<T> rain;
        FlowParameters<T> flow;
    };

    static Parameters parameters(const ParameterSet& set) {
        return {rain_parameters<T>(set), flow_parameters<T>(set)};
    }
    CAMBER_HD static Parameters later(const Parameters& parameters, int generations) {
        return {parameters.rain.later(generations), parameters.flow};
    }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static T next(const At& at, const Parameters& parameters) {
        Surroundings<T, 2> around;
        each_cell<2>([&](int dcol, int drow) {
            around.terrain(dcol, drow) = at(Terrain<T, 2>{}, dcol, drow);
            const T wet = at(Depth<T, 2>{}, dcol, drow) + parameters.rain.now();
            around.depth(dcol, drow) =
                wet -
                infiltrated(wet, at(InfiltrationRate<T, 2>{}, dcol, drow), parameters.flow.dt);
        });
        return depth_after_flow(around, parameters.flow);
    }
};

}  // namespace camber::surface_water
