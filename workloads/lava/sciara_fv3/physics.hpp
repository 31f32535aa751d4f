// Physics of SCIARA-fv3: outflow of a cell and its speed, maximum step length, and cooling of lava.
// After a thesis on SCIARA-fv3 (Università della Calabria, supervised by W. Spataro and D.
// D'Ambrosio). Where its text leaves a question open, a comment states what was decided.
//
// R is float or double. The order of operations is part of the definition: a difference in the last
// bit moves a cell across a threshold, and the clock, a minimum over all cells, then carries the
// difference to all cells. Sources that include this file are compiled without contraction of
// products and sums.
#pragma once

#include "workloads/lava/sciara_fv3/direction.hpp"

namespace camber::sciara_fv3 {

// Quantity that depends on temperature exponentially: exp(a + b T).
template <class R>
struct Law {
    R a = 0;
    R b = 0;  // 1/K

    CAMBER_HD R at(R temperature) const { return exponential(a + b * temperature); }
};
// Law through two points, computed in double.
Law<double> law_through(double temperature_0, double value_0, double temperature_1, double value_1);

template <class R>
struct OutflowParameters {
    R side = 0;            // of a cell, m
    R gravity = 0;         // m/s^2
    Law<R> loss = {};      // share of the speed lost in a step
    Law<R> critical = {};  // thickness that lava on level ground must exceed to flow, m
};

// A cell and its neighbors as read by tau_1; index 0 is the cell itself. A neighbor with an
// altitude below 0 is beyond the edge or of unknown altitude, and gets no lava.
template <class R>
struct Surroundings {
    R altitude[neighbours + 1];   // m
    R thickness[neighbours + 1];  // m
    R temperature = 0;            // of the cell, K
    R momentum_x = 0;             // of the cell per area, m^2/s
    R momentum_y = 0;
};

// Height of neighbor k as seen from the cell, m: the ground towards a diagonal neighbor is taken at
// the distance of a straight one.
template <class R>
CAMBER_HD R head(int k, R z_0, R z_k, R h_k) {
    if (!is_diagonal(k)) return z_k + h_k;
    return z_0 - (z_0 - z_k) / R(1.41421356237309504880) + h_k;
}

// Lava of a cell with regard to one neighbor: the thickness above the neighbor's head, which can
// flow there, and the rest.
template <class R>
struct Heights {
    R effective = 0;
    R apparent = 0;
};
// `energy`: altitude and kinetic head of the cell, m.
template <class R>
CAMBER_HD Heights<R> heights(R energy, R h_0, R head_k) {
    if (energy + h_0 <= head_k) return {0, h_0};
    if (head_k <= energy) return {h_0, 0};
    const R effective = (energy + h_0) - head_k;
    return {effective, h_0 - effective};
}

// Height that lava h_0 reaches if it is spread over the cells of `kept`, m. Bit 0 of `kept` is the
// cell itself, bit k its neighbor k.
template <class R>
CAMBER_HD R average(const R (&heads)[neighbours + 1], unsigned kept, R h_0) {
    R sum = h_0;
    int count = 0;
    for (int k = 0; k <= neighbours; ++k)
        if (kept >> k & 1) {
            sum += heads[k];
            ++count;
        }
    return sum / R(count);
}
// Cells of `kept` that are below the average.
template <class R>
CAMBER_HD unsigned below(const R (&heads)[neighbours + 1], unsigned kept, R average) {
    unsigned rest = kept;
    for (int k = 0; k <= neighbours; ++k)
        if (kept >> k & 1 && heads[k] >= average) rest &= ~(1u << k);
    return rest;
}
// Minimization of differences (Di Gregorio and Serra 1999): cells at or above the average are
// excluded, until no cell is. If lava is thinner than the last bit of the heads, all cells are
// excluded.
template <class R>
struct Level {
    R height = 0;       // m
    unsigned kept = 0;  // cells that are not excluded, as in average()
};
template <class R>
CAMBER_HD Level<R> minimised(const R (&heads)[neighbours + 1], unsigned kept, R h_0) {
    while (kept != 0) {
        const R height = average(heads, kept, h_0);
        const unsigned rest = below(heads, kept, height);
        if (rest == kept) return {height, kept};
        kept = rest;
    }
    return {};
}

// The part of a cell's outflow that does not depend on the clock.
template <class R>
struct Descent {
    Level<R> level;  // neighbors that get lava, and the height that they reach
    R heads[neighbours + 1];
    R speeds[neighbours + 1];  // of the lava towards each neighbor at the start of the step, m/s
    R angles[neighbours + 1];  // of the path towards each neighbor; positive: downhill
    R kept_speed = 0;          // share of the speed that is kept

    CAMBER_HD bool reaches(int k) const { return level.kept >> k & 1; }
    // Outflow to neighbor k if the lava covers the whole distance, m.
    CAMBER_HD R share(int k) const { return level.height - heads[k]; }
};
// Requires a cell with lava. Velocity is momentum divided by thickness. Three decisions: velocity
// is decomposed obliquely, so that the two parts add up to it; heads are always corrected for
// diagonal neighbors; distances are the cell's side.
template <Trigonometry form, class R>
CAMBER_HD Descent<R> descent(const Surroundings<R>& cell, const OutflowParameters<R>& p) {
    Descent<R> result;
    const R z_0 = cell.altitude[0];
    const R h_0 = cell.thickness[0];
    const R x = cell.momentum_x / h_0;
    const R y = cell.momentum_y / h_0;
    const R speed = square_root(x * x + y * y);
    const Split<R> velocity = split<form>(x, y, speed);
    result.kept_speed = 1 - p.loss.at(cell.temperature);
    const R critical = p.critical.at(cell.temperature);

    unsigned candidates = 1;
    result.heads[0] = z_0;
    result.speeds[0] = 0;
    result.angles[0] = 0;
    for (int k = 1; k <= neighbours; ++k) {
        const R v = velocity.towards(k);
        const R u = head(k, z_0, cell.altitude[k], cell.thickness[k]);
        const Heights<R> h = heights(z_0 + v * v / (2 * p.gravity), h_0, u);
        const R angle = arc_tangent((z_0 + h.apparent + h.effective / 2 - u) / p.side);
        const bool flows = cell.altitude[k] >= 0 && h.effective > critical * cosine(angle);
        candidates |= static_cast<unsigned>(flows) << k;
        result.heads[k] = u;
        result.speeds[k] = v;
        result.angles[k] = angle;
    }
    result.level = minimised(result.heads, candidates, h_0);
    return result;
}

// Lava that moves towards a neighbor for some time.
template <class R>
struct Motion {
    R speed = 0;         // at the end, m/s
    R acceleration = 0;  // mean, m/s^2
    R distance = 0;      // m
};
template <class R>
CAMBER_HD Motion<R> motion(const Descent<R>& d, int k, R clock, const OutflowParameters<R>& p) {
    const R v = d.speeds[k];
    const R falling = p.gravity * sine(d.angles[k]);
    const R speed = (v + falling * clock) * d.kept_speed;
    const R acceleration = (speed - v) / clock;
    return {speed, acceleration, v * clock + R(0.5) * acceleration * clock * clock};
}

// Longest step, at most `longest`, in which no lava of the cell moves beyond the neighbor, s. The
// time to cover the side is computed without cancellation.
template <class R>
CAMBER_HD R longest_step(const Descent<R>& d, R longest, const OutflowParameters<R>& p) {
    R step = longest;
    for (int k = 1; k <= neighbours; ++k) {
        if (!d.reaches(k)) continue;
        const R v = d.speeds[k];
        const Motion<R> moved = motion(d, k, longest, p);
        if (!(moved.distance > p.side)) continue;
        const R root = square_root(v * v + 2 * moved.acceleration * p.side);
        step = smaller(step, 2 * p.side / (v + root));
    }
    return step;
}

// Outflow of a cell, and its speed on arrival.
template <class R>
struct Outflows {
    R thickness[neighbours];  // m; neighbor k at index k - 1
    R speed[neighbours];      // m/s
};
// Distances below 0 or beyond the side, which only uphill flows can have, are clamped.
template <class R>
CAMBER_HD void outflows(const Descent<R>& d, R clock, const OutflowParameters<R>& p,
                        Outflows<R>& out) {
    for (int k = 1; k <= neighbours; ++k) {
        out.thickness[k - 1] = 0;
        out.speed[k - 1] = 0;
        if (!d.reaches(k)) continue;
        const Motion<R> moved = motion(d, k, clock, p);
        const R distance = smaller(larger(moved.distance, R(0)), p.side);
        out.thickness[k - 1] = d.share(k) * (distance / p.side);
        out.speed[k - 1] = moved.speed;
    }
}

// Mixture in a cell during the exchange of flows: thickness, heat (thickness times temperature) and
// momentum. Contributions are added in the order of the neighbors.
template <class R>
struct Mixture {
    R thickness = 0;   // m
    R heat = 0;        // m K
    R momentum_x = 0;  // m^2/s
    R momentum_y = 0;

    CAMBER_HD void give(R out, R temperature) {
        thickness -= out;
        heat -= out * temperature;
    }
    // Adds the inflow `in` from the neighbor of which this cell is neighbor k.
    CAMBER_HD void take(int k, R in, R speed, R temperature) {
        thickness += in;
        heat += in * temperature;
        momentum_x += in * speed * unit_x<R>(k);
        momentum_y += in * speed * unit_y<R>(k);
    }
};
// A cell before the exchange: momentum is that of the lava that stays, slowed by friction.
template <class R>
struct Staying {
    R thickness = 0;
    R temperature = 0;
    R momentum_x = 0;
    R momentum_y = 0;
    R outflow = 0;  // sum of all outflows

    CAMBER_HD Mixture<R> mixture(const Law<R>& loss) const {
        Mixture<R> result{thickness, thickness * temperature, 0, 0};
        if (thickness > 0) {
            const R stays = thickness - outflow;
            const R kept = 1 - loss.at(temperature);
            result.momentum_x = stays * (momentum_x / thickness) * kept;
            result.momentum_y = stays * (momentum_y / thickness) * kept;
        }
        return result;
    }
};

template <class R>
struct CoolingParameters {
    R emissivity = 0;
    R stefan_boltzmann = 0;  // W m^-2 K^-4
    R cooling = 0;           // factor of the model
    R density = 0;           // kg m^-3
    R heat_capacity = 0;     // J kg^-1 K^-1
    R side = 0;              // of a cell, m
    R solid = 0;             // temperature at or below which lava is solid, K
};

// Temperature of lava with thickness h > 0 after `clock` seconds of radiation, K. The formula is
// used as printed, although its factor `cooling` then has a unit.
template <class R>
CAMBER_HD R cooled(R temperature, R h, R clock, const CoolingParameters<R>& p) {
    const R radiated = 3 * temperature * temperature * temperature * p.emissivity *
                       p.stefan_boltzmann * clock * p.cooling;
    const R stored = p.density * p.heat_capacity * p.side * p.side * h;
    return temperature / cube_root(1 + radiated / stored);
}

// Cell at the end of a step.
template <class R>
struct Settled {
    R altitude = 0;
    R thickness = 0;
    R temperature = 0;
    R momentum_x = 0;
    R momentum_y = 0;
    R solidified = 0;
};
// tau_3: lava cools, or solidifies and becomes ground. A cell without lava keeps its temperature
// and loses its momentum.
template <class R>
CAMBER_HD Settled<R> settled(Settled<R> cell, R clock, const CoolingParameters<R>& p) {
    if (!(cell.thickness > 0)) {
        cell.momentum_x = cell.momentum_y = 0;
        return cell;
    }
    cell.temperature = cooled(cell.temperature, cell.thickness, clock, p);
    if (cell.temperature > p.solid) return cell;
    cell.altitude += cell.thickness;
    cell.solidified += cell.thickness;
    cell.thickness = 0;
    cell.temperature = p.solid;
    cell.momentum_x = cell.momentum_y = 0;
    return cell;
}

}  // namespace camber::sciara_fv3
