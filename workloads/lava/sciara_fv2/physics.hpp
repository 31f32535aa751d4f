// Physics of SCIARA-fv2: outflow of a cell, and cooling of lava. Spataro, Avolio, Lupiano, Trunfio,
// Rongo and D'Ambrosio 2010 (Procedia Computer Science 1, 17-26), in the form that its public
// implementations compute.
//
// All arithmetic is in double, and its order is part of the definition: a difference in the last
// bit stays invisible for some thousand steps, then moves a cell across a threshold. Sources that
// include this file are compiled without contraction of products and sums
// (cmake/ExactWorkloads.cmake).
#pragma once

#include <cmath>

#include "harness/base/target.hpp"

namespace camber::sciara_fv2 {

// The neighbors of a cell, north first, then west, east, south and the corners: row 0 is the
// northernmost. Flow towards neighbor k (from 1) is flow k - 1.
//     5 1 8
//     2 0 3
//     6 4 7
inline constexpr int neighbours = 8;

CAMBER_HD constexpr int column_offset(int k) {
    constexpr int offsets[] = {0, 0, -1, 1, 0, -1, -1, 1, 1};
    return offsets[k];
}
CAMBER_HD constexpr int row_offset(int k) {
    constexpr int offsets[] = {0, -1, 0, 0, 1, -1, 1, 1, -1};
    return offsets[k];
}
// Index of the opposite neighbor: seen from neighbor k, the cell is neighbor opposite(k).
CAMBER_HD constexpr int opposite(int k) {
    constexpr int opposites[] = {0, 4, 3, 2, 1, 7, 8, 5, 6};
    return opposites[k];
}
CAMBER_HD constexpr bool is_diagonal(int k) {
    return k > 4;
}

// Quantity that depends on temperature as a power of ten: 10^(a + b T).
struct Law {
    double a = 0;
    double b = 0;  // 1/K

    CAMBER_HD double at(double temperature) const { return ::pow(10.0, a + b * temperature); }
};
// Law through two points.
Law law_through(double temperature_0, double value_0, double temperature_1, double value_1);

struct OutflowParameters {
    double side = 0;      // of a cell, m
    Law relaxation = {};  // share of the difference from the average that flows in a step
    Law critical = {};    // thickness that lava on level ground must exceed to flow, m
};

// Height of neighbor k as seen from a cell at altitude z_0, corrected for the greater distance of
// diagonal neighbors, m.
CAMBER_HD inline double head(int k, double z_0, double z_k, double h_k) {
    if (!is_diagonal(k)) return z_k + h_k;
    constexpr double root_2 = 1.4142135623730951;
    return (z_0 - (z_0 - z_k) / root_2) + h_k;
}

// Height that lava h_0 reaches if it is spread over the cells of `kept`, m. Bit 0 of `kept` is the
// cell itself, bit k its neighbor k. `heads[0]` is the cell's altitude.
CAMBER_HD inline double average(const double (&heads)[neighbours + 1], unsigned kept, double h_0) {
    double sum = h_0;
    int count = 0;
    for (int k = 0; k <= neighbours; ++k)
        if (kept >> k & 1) {
            sum += heads[k];
            ++count;
        }
    return sum / count;
}
// Cells of `kept` that are below the average.
CAMBER_HD inline unsigned below(const double (&heads)[neighbours + 1], unsigned kept,
                                double average) {
    unsigned rest = kept;
    for (int k = 0; k <= neighbours; ++k)
        if (kept >> k & 1 && heads[k] >= average) rest &= ~(1u << k);
    return rest;
}

// Minimization of differences (Di Gregorio and Serra 1999): cells at or above the average are
// excluded, until no cell is.
struct Level {
    double height = 0;  // m
    unsigned kept = 0;  // cells that are not excluded, as in average()
};
CAMBER_HD inline Level minimised(const double (&heads)[neighbours + 1], unsigned kept, double h_0) {
    for (;;) {
        const double height = average(heads, kept, h_0);
        const unsigned rest = below(heads, kept, height);
        if (rest == kept) return {height, kept};
        kept = rest;
    }
}

// Outflow of a cell with thickness h_0 > 0 towards each neighbor in a step, m. `heads` as in
// average(). The test for the critical thickness follows the minimization.
CAMBER_HD inline void outflows(const double (&heads)[neighbours + 1], double h_0,
                               double temperature, const OutflowParameters& parameters,
                               double (&flows)[neighbours]) {
    const double surface = heads[0] + h_0;
    unsigned candidates = 1;
    for (int k = 1; k <= neighbours; ++k)
        if (surface > heads[k]) candidates |= 1u << k;
    const Level level = minimised(heads, candidates, h_0);
    const double share = parameters.relaxation.at(temperature);
    const double critical = parameters.critical.at(temperature);
    for (int k = 1; k <= neighbours; ++k) {
        flows[k - 1] = 0;
        if (!(level.kept >> k & 1)) continue;
        const double angle = ::atan((surface - heads[k]) / parameters.side);
        if (h_0 > critical * ::cos(angle)) flows[k - 1] = share * (level.height - heads[k]);
    }
}

// Mixture of a cell's lava and its inflows after the exchange: thickness and heat (thickness times
// temperature). Contributions are added in the order of the neighbors.
struct Mixture {
    double thickness;  // m
    double heat;       // m K

    CAMBER_HD Mixture(double h, double temperature) : thickness(h), heat(h * temperature) {}
    CAMBER_HD void exchange(double in, double neighbour_temperature, double out,
                            double temperature) {
        thickness += in - out;
        heat += in * neighbour_temperature - out * temperature;
    }
};

struct CoolingParameters {
    double emissivity = 0;
    double stefan_boltzmann = 0;  // J m^-2 s^-1 K^-4
    double clock = 0;             // s
    double cooling = 0;           // factor of the model
    double density = 0;           // kg m^-3
    double heat_capacity = 0;     // J kg^-1 K^-1
    double area = 0;              // of a cell, m^2
    double solid = 0;             // temperature at or below which lava is solid, K
};

// Temperature of lava with thickness h > 0 after one step of radiation, K.
CAMBER_HD inline double cooled(double temperature, double h, const CoolingParameters& p) {
    const double radiated =
        3 * ::pow(temperature, 3.0) * p.emissivity * p.stefan_boltzmann * p.clock * p.cooling;
    const double stored = p.density * p.heat_capacity * h * p.area;
    return temperature / ::pow(1 + radiated / stored, 1.0 / 3);
}

}  // namespace camber::sciara_fv2
