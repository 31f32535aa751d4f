// Physics of MAGFLOW: flux between two cells and change of a cell in a step. Bilotta, Rustico,
// Hérault, Vicari, Russo, Del Negro and Gallo 2011. The order of operations is part of the
// definition.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "harness/base/target.hpp"

namespace camber::magflow {

// Arithmetic with the same bits on every compiler and processor that rounds according to IEEE 754.
// The order of operations is part of MAGFLOW's definition here. Sources that include this file are
// compiled without contraction of products and sums (cmake/ExactWorkloads.cmake).

// Bit layout of a floating-point type.
template <class R>
struct Bits;
template <>
struct Bits<float> {
    using Type = unsigned;
    static constexpr int mantissa = 23;
    static constexpr int bias = 127;
    static constexpr int degree = 7;  // of the polynomial in exp10()
};
template <>
struct Bits<double> {
    using Type = unsigned long long;
    static constexpr int mantissa = 52;
    static constexpr int bias = 1023;
    static constexpr int degree = 13;
};

template <class R>
CAMBER_HD inline typename Bits<R>::Type bits_of(R value) {
    static_assert(sizeof(typename Bits<R>::Type) == sizeof(R));
    typename Bits<R>::Type bits;
    memcpy(&bits, &value, sizeof(R));
    return bits;
}
template <class R>
CAMBER_HD inline R value_of(typename Bits<R>::Type bits) {
    R value;
    memcpy(&value, &bits, sizeof(R));
    return value;
}

CAMBER_HD inline float root(float x) {
    return ::sqrtf(x);
}
CAMBER_HD inline double root(double x) {
    return ::sqrt(x);
}
CAMBER_HD inline float nearest(float x) {
    return ::rintf(x);
}
CAMBER_HD inline double nearest(double x) {
    return ::rint(x);
}

// 10^x for |x| <= 10, with a relative error of at most 1.2e-7 (float) or 2.4e-16 (double). Math
// libraries differ in the last bit of powers; this function returns the same bits everywhere. Range
// reduction by powers of two in two parts (Cody and Waite 1980), then a Taylor polynomial.
template <class R>
CAMBER_HD inline R exp10(R x) {
    constexpr R inverse_factorial[] = {R(1.0),
                                       R(1.0),
                                       R(1.0 / 2),
                                       R(1.0 / 6),
                                       R(1.0 / 24),
                                       R(1.0 / 120),
                                       R(1.0 / 720),
                                       R(1.0 / 5040),
                                       R(1.0 / 40320),
                                       R(1.0 / 362880),
                                       R(1.0 / 3628800),
                                       R(1.0 / 39916800),
                                       R(1.0 / 479001600),
                                       R(1.0 / 6227020800)};
    constexpr int bias = Bits<R>::bias;
    const R n = nearest(x * R(3.32192809488736235));
    R r = (x - n * R(0.301025390625)) - n * R(4.605038981195214e-6);
    r = r * R(2.30258509299404568);
    R p = inverse_factorial[Bits<R>::degree];
    for (int k = Bits<R>::degree - 1; k >= 0; --k) p = p * r + inverse_factorial[k];
    // The result must be a normal number.
    const R least = R(1 - bias);
    const R most = R(bias);
    const R clamped = n < least ? least : (n > most ? most : n);
    using Word = typename Bits<R>::Type;
    const Word exponent = static_cast<Word>(static_cast<int>(clamped) + bias);
    return p * value_of<R>(exponent << Bits<R>::mantissa);
}

// Sum that, if compensated, adds the rounding error of each addition to the next term (Kahan 1965).
template <class R, bool compensated>
struct Sum {
    R value = 0;
    R lost = 0;

    CAMBER_HD void add(R x) {
        if constexpr (compensated) {
            const R y = x - lost;
            const R sum = value + y;
            lost = (sum - value) - y;
            value = sum;
        } else {
            value = value + x;
        }
    }
};

// Model of MAGFLOW: flow between two cells, and change of a cell in a step. Bilotta, Rustico,
// Hérault, Vicari, Russo, Del Negro and Gallo 2011 (Annals of Geophysics 54, 580-591); the heat
// terms follow Del Negro, Fortuna, Herault and Vicari 2008 (Bulletin of Volcanology 70, 805-812).
//
// All arithmetic is in R, and its order is part of the definition.

// Neighbors in the order in which their contributions are added: W, E, SW, NE, S, N, SE, NW. Row 0
// is the northernmost. Neighbors 2 k and 2 k + 1 are opposite each other.
inline constexpr int neighbours = 8;

CAMBER_HD constexpr int row_offset(int k) {
    constexpr int offsets[] = {0, 0, 1, -1, 1, -1, 1, -1};
    return offsets[k];
}
CAMBER_HD constexpr int column_offset(int k) {
    constexpr int offsets[] = {-1, 1, -1, 1, 0, 0, 1, -1};
    return offsets[k];
}
CAMBER_HD constexpr bool is_diagonal(int k) {
    return row_offset(k) != 0 && column_offset(k) != 0;
}

// Altitude of cells without ground and of cells beyond the edge, which act as walls.
inline constexpr double wall = 1e6;  // m

template <class R>
struct FlowParameters {
    R shift = 0;             // temperature shift of the viscosity law, K
    R numerator = 0;         // numerator of the viscosity law, K
    R yield_a = 0;           // log10 of the yield strength at 0 K, Pa
    R yield_b = 0;           // decrease of that logarithm with temperature, 1/K
    R weight = 0;            // density times gravity, N/m^3
    R area = 0;              // of a cell, m^2
    R distance[2] = {};      // to neighbors on the sides and on the corners, m
    R share = 0;             // maximum share of a cell's lava that may leave it in a step
    R longest_step = 0;      // s
    R vent_temperature = 0;  // K
};

// Yield strength, Pa (Bilotta et al. 2011, Equation 3).
template <class R>
CAMBER_HD inline R yield_strength(R temperature, const FlowParameters<R>& p) {
    return exp10(p.yield_a - p.yield_b * temperature);
}
// Viscosity, Pa s (Equation 4).
template <class R>
CAMBER_HD inline R viscosity(R temperature, const FlowParameters<R>& p) {
    return exp10(R(-4.643) + p.numerator / (temperature + p.shift));
}

// Critical thickness, which lava must exceed to flow, m (Equation 2). `bed` is the drop of the
// ground, including solid lava, towards the receiver; `surface` > 0 is the drop of the free
// surface.
template <class R>
CAMBER_HD inline R critical_thickness(R strength, R bed, R surface, R distance,
                                      const FlowParameters<R>& p) {
    return (strength * root(bed * bed + distance * distance)) / (p.weight * surface);
}

// Three times the viscosity, which the flux is inversely proportional to, Pa s.
template <class R>
CAMBER_HD inline R resistance(R temperature, const FlowParameters<R>& p) {
    return R(3) * viscosity(temperature, p);
}

// Flux of a Bingham fluid from a cell with lava of thickness h above the critical thickness, m^3/s
// (Equation 1). Its cubic is evaluated in factors, which avoids cancellation if h is close to the
// critical thickness.
template <class R>
CAMBER_HD inline R flux_above(R critical, R h, R strength, R resistance, R distance) {
    const R a = h / critical;
    return ((((strength * critical) * critical) * distance) / resistance) *
           (((a - R(1)) * (a - R(1))) * (a + R(0.5)));
}

// Flux from a cell with lava of thickness h at `temperature`, m^3/s.
template <class R>
CAMBER_HD inline R flux(R h, R temperature, R bed, R surface, R distance,
                        const FlowParameters<R>& p) {
    if (!(h > 0)) return 0;
    const R strength = yield_strength(temperature, p);
    const R critical = critical_thickness(strength, bed, surface, distance, p);
    if (!(h > critical)) return 0;
    return flux_above(critical, h, strength, resistance(temperature, p), distance);
}

// Properties of a cell that its neighbors read.
template <class R>
struct Lava {
    R ground;       // altitude including solid lava, m
    R thickness;    // of fluid lava, m
    R temperature;  // K
};

// Exchange between two cells: volume rate, and heat rate as volume times temperature. Both are
// positive; `gives` is true if they leave the first cell.
template <class R>
struct Exchange {
    R volume;  // m^3/s
    R heat;    // m^3 K/s
    bool gives;

    CAMBER_HD Exchange reversed() const { return {volume, heat, !gives}; }
};

// Exchange between two cells. The cell with the higher free surface gives, at its own temperature,
// so that both cells of the pair compute the same bits.
template <class R>
CAMBER_HD inline Exchange<R> exchange(const Lava<R>& own, const Lava<R>& other, R distance,
                                      const FlowParameters<R>& p) {
    const R bed = own.ground - other.ground;
    const R surface = bed + (own.thickness - other.thickness);
    const bool gives = surface > 0;
    const bool takes = surface < 0;
    const R h = gives ? own.thickness : other.thickness;
    const R temperature = gives ? own.temperature : other.temperature;
    const R q = gives || takes ? flux(h, temperature, gives ? bed : -bed,
                                      gives ? surface : -surface, distance, p)
                               : R(0);
    return {q, q * temperature, gives};
}

// Sum of a cell's exchanges, added neighbor by neighbor.
template <class R, bool compensated>
struct CellFlux {
    Sum<R, compensated> volume;
    Sum<R, compensated> heat;
    R outflow = 0;

    // `emission` is the rate of a vent in the cell, m^3/s; 0 without a vent.
    CAMBER_HD CellFlux(R emission, const FlowParameters<R>& p)
        : volume{emission, 0}, heat{emission * p.vent_temperature, 0} {}

    CAMBER_HD void add(const Exchange<R>& e) {
        if (e.gives) {
            volume.add(-e.volume);
            heat.add(-e.heat);
            outflow = outflow + e.volume;
        } else {
            volume.add(e.volume);
            heat.add(e.heat);
        }
    }
};

// Longest step in which at most the allowed share of a cell's lava leaves it, s. The limit uses the
// gross outflow instead of the balance: that is stricter, and keeps rounding errors from growing.
template <class R>
CAMBER_HD inline R step_limit(R h, R outflow, const FlowParameters<R>& p) {
    return outflow > 0 ? ((p.share * h) * p.area) / outflow : p.longest_step;
}

template <class R>
struct UpdateParameters {
    R capacity = 0;        // density times specific heat, J/(m^3 K)
    R area = 0;            // m^2
    R cell_capacity = 0;   // capacity times area, J/(m K)
    R solid_capacity = 0;  // cell_capacity times solidification temperature, J/m
    R radiation = 0;       // emissivity times Stefan-Boltzmann constant times area, W/K^4
    R solid = 0;           // solidification temperature, K
};

// State of a cell that persists from step to step.
template <class R>
struct Cell {
    R thickness;    // of fluid lava, m
    R solidified;   // m
    R heat;         // of the fluid, J
    R temperature;  // of the fluid, K; 0 if there is none
};

// The same quantities as sums over the steps.
template <class R, bool compensated>
struct CellSums {
    Sum<R, compensated> thickness;
    Sum<R, compensated> solidified;
    Sum<R, compensated> heat;
    R temperature;
};

// Cell after a step of dt seconds: adds the flow, then radiates from the surface that was fluid at
// the start of the step, and solidifies just enough lava that the rest has the solidification
// temperature.
template <class R, bool compensated>
CAMBER_HD inline CellSums<R, compensated> updated(CellSums<R, compensated> cell, R volume,
                                                  R heat_flux, R dt, const UpdateParameters<R>& p) {
    const R t = cell.temperature;
    const bool radiates = cell.thickness.value > 0;
    cell.thickness.add((dt * volume) / p.area);
    cell.heat.add((p.capacity * dt) * heat_flux);
    if (radiates) cell.heat.add(-((p.radiation * ((t * t) * (t * t))) * dt));
    const R h = cell.thickness.value;
    const R heat = cell.heat.value;
    // A thin film solidifies completely.
    if (h <= 0 || heat <= 0) {
        if (h > 0) cell.solidified.add(h);
        return {{0, 0}, cell.solidified, {0, 0}, 0};
    }
    cell.temperature = heat / (p.cell_capacity * h);
    if (!(cell.temperature < p.solid)) return cell;
    const R kept = heat / p.solid_capacity;
    cell.solidified.add(h - kept);
    return {{kept, 0}, cell.solidified, cell.heat, p.solid};
}
template <class R>
CAMBER_HD inline Cell<R> updated(const Cell<R>& cell, R volume, R heat_flux, R dt,
                                 const UpdateParameters<R>& p) {
    const CellSums<R, false> sums{
        {cell.thickness, 0}, {cell.solidified, 0}, {cell.heat, 0}, cell.temperature};
    const CellSums<R, false> next = updated(sums, volume, heat_flux, dt, p);
    return {next.thickness.value, next.solidified.value, next.heat.value, next.temperature};
}

}  // namespace camber::magflow
