// Physics of surface water, Parsons-type: infiltration and flow of a cell, given its neighbors.
// Also contains the parameters, by name for the harness and typed here.
#pragma once

#include <vector>

#include "harness/base/parameters.hpp"
#include "harness/base/target.hpp"
#include "workloads/core/arithmetic.hpp"

namespace camber::surface_water {

// Surface water, Parsons-type: change of a cell, given its own state and its neighbors'.
//
// A cell has ground at altitude z and water of depth d >= 0 (m). Water flows to those of the eight
// neighbors whose surface is lower, in shares proportional to the difference (Balasalle 2011,
// section 6.1, after Parsons). The source describes the steps in words only; the formulas are
// camber's. Manning's equation, with the depth as hydraulic radius, gives the velocity. In one
// step, a cell loses the share of its mobile water that travels the length of its side.
//
// Inert cells (the outermost ring of a map, cells without data, and everything beyond the map)
// never have water: they are so high that no neighbor gives them any, and they absorb rain at once.
// The rules need no special case for them.
template <class T>
inline constexpr T inert_terrain = static_cast<T>(1e30f);  // m
template <class T>
inline constexpr T inert_infiltration = static_cast<T>(1e30f);  // m/s

template <class T>
CAMBER_HD constexpr bool is_inert(T terrain) {
    return terrain >= static_cast<T>(1e30f);
}

template <class T>
struct FlowParameters {
    T dx;        // side of a cell, m
    T diagonal;  // distance of diagonal neighbors, m
    T dt;        // duration of a step, s
    T manning;   // roughness, s/m^(1/3)
    // Reciprocals and quotients of the values above, computed once instead of per cell.
    T per_dx = 1 / dx;
    T per_diagonal = 1 / diagonal;
    T per_manning = 1 / manning;
    T steps_per_speed = dt / dx;  // cells per step at 1 m/s
};

// Calls f(k, dcol, drow) for the neighbors k = 0..7: NW, N, NE, W, E, SW, S, SE. Sums are added in
// this order. Calls instead of a loop make indices compile-time constants and keep arrays in
// registers.
CAMBER_EXEC_CHECK_DISABLE
template <class F>
CAMBER_HD constexpr void each_neighbour(F&& f) {
    f(0, -1, -1);
    f(1, 0, -1);
    f(2, 1, -1);
    f(3, -1, 0);
    f(4, 1, 0);
    f(5, -1, 1);
    f(6, 0, 1);
    f(7, 1, 1);
}

// Height of the surface of cell i above that of cell j. The formula avoids z + d: at altitudes of
// 1000 m, float has a resolution of 1e-4 m, which would lose a film of water. The drop from j to i
// is exactly the negative.
template <class T>
CAMBER_HD T drop(T terrain_i, T depth_i, T terrain_j, T depth_j) {
    return (terrain_i - terrain_j) + (depth_i - depth_j);
}

// Drops from a cell to its lower neighbors: their sum, and the largest ones.
template <class T>
class Drops {
  public:
    Drops() = default;
    CAMBER_HD Drops(T sum, T orthogonal, T diagonal)
        : sum_(sum), orthogonal_(orthogonal), diagonal_(diagonal) {}

    CAMBER_HD void add(T drop, bool diagonal) {
        drop = larger(T(0), drop);
        sum_ += drop;
        if (diagonal)
            diagonal_ = larger(diagonal_, drop);
        else
            orthogonal_ = larger(orthogonal_, drop);
    }
    CAMBER_HD T sum() const { return sum_; }
    CAMBER_HD T largest() const { return larger(orthogonal_, diagonal_); }
    // Steepest slope. Rounding is monotonic, so this is the maximum of all eight slopes.
    CAMBER_HD T slope(const FlowParameters<T>& parameters) const {
        return larger(orthogonal_ * parameters.per_dx, diagonal_ * parameters.per_diagonal);
    }

  private:
    T sum_ = 0;
    T orthogonal_ = 0;
    T diagonal_ = 0;
};

// Mobile water: the depth that levels the cell with its lowest neighbor. This formula and the
// following ones are continuous in the depths, so that rounding errors are not amplified.
template <class T>
CAMBER_HD T mobile_depth(T depth, const Drops<T>& drops) {
    return smaller(depth, T(0.5) * drops.largest());
}

// Velocity by Manning's equation, m/s.
template <class T>
CAMBER_HD T velocity(T depth, const Drops<T>& drops, const FlowParameters<T>& parameters) {
    const T root = cube_root(depth);
    return root * root * square_root(drops.slope(parameters)) * parameters.per_manning;
}

// Courant number: number of cells that the water travels in one step.
template <class T>
CAMBER_HD T courant_number(T velocity, const FlowParameters<T>& parameters) {
    return velocity * parameters.steps_per_speed;
}

// Loss of a cell in one step: total, m, and per m of drop to a neighbor.
template <class T>
struct Loss {
    T discharge;
    T per_drop;
};

// Loss of the share `factor` of the mobile water.
template <class T>
CAMBER_HD Loss<T> loss_of(T factor, T depth, const Drops<T>& drops) {
    const T discharge = rounded_product(factor, mobile_depth(depth, drops));
    return {discharge, drops.sum() > T(0) ? discharge / drops.sum() : T(0)};
}

// Loss of a cell that continuously releases water at the rate at which it flows.
template <class T>
CAMBER_HD Loss<T> loss_at_rate(T depth, const Drops<T>& drops,
                               const FlowParameters<T>& parameters) {
    const T cells = courant_number(velocity(depth, drops, parameters), parameters);
    return loss_of(smaller(T(1), cells), depth, drops);
}

// Loss of a cell that releases water by a clock, and the clock after the step.
template <class T>
struct TimedLoss {
    Loss<T> loss;
    T clock;  // steps since the last release
};

// In the first form of the model, water waits in a cell until it has had time to cross it, and then
// all mobile water leaves at once: timing rules decide when water moves, not how much (Balasalle
// 2011, section 6.2). The clock is 0 while the cell has no water or no lower neighbor.
template <class T>
CAMBER_HD TimedLoss<T> loss_by_clock(T clock, T depth, const Drops<T>& drops,
                                     const FlowParameters<T>& parameters) {
    if (!(drops.sum() > T(0)) || depth == T(0)) return {{T(0), T(0)}, T(0)};
    const T steps = clock + T(1);
    const bool is_across =
        velocity(depth, drops, parameters) * (steps * parameters.dt) >= parameters.dx;
    return {loss_of(is_across ? T(1) : T(0), depth, drops), is_across ? T(0) : steps};
}

// Flow to a neighbor whose surface is lower by `drop`.
template <class T>
CAMBER_HD T share(T per_drop, T drop) {
    return rounded_product(per_drop, larger(T(0), drop));
}

// Depth that infiltrates in one step; `rate` in m/s.
template <class T>
CAMBER_HD T infiltrated(T depth, T rate, T dt) {
    return smaller(depth, rate * dt);
}

// Parameters of surface water: by name for the harness, typed for rules and reference.

// Parameters with the values of the benchmark: a storm of 25 mm/h for 250 of 500 s.
std::vector<ParameterInfo> parameters();

// The functions below throw Error(usage) for invalid values. Values are rounded to float for any T,
// so that float and double compute the same problem. Instantiated for float and double.
template <class T>
FlowParameters<T> flow_parameters(const ParameterSet& set);

template <class T>
struct RainParameters {
    T per_step;           // m
    int remaining_steps;  // steps until the rain ends; 0 or less: it has ended

    CAMBER_HD T now() const { return remaining_steps > 0 ? per_step : T(0); }
    CAMBER_HD RainParameters later(int steps) const { return {per_step, remaining_steps - steps}; }
};
template <class T>
RainParameters<T> rain_parameters(const ParameterSet& set);

// Duration of a step, s.
template <class T>
T time_step(const ParameterSet& set);

}  // namespace camber::surface_water
