// Physics of MAGFLOW: flux between two cells and change of a cell in a step. Bilotta, Rustico,
// Hérault, Vicari, Russo, Del Negro and Gallo 2011. The order of operations is part of the
// definition.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "harness/base/target.hpp"

namespace camber::magflow {

// Arithmetic whose order is part of MAGFLOW's definition here: the same bits from every compiler
// and processor that rounds as IEEE 754 says. Sources that include this are compiled without
// contraction of products and sums (cmake/ExactWorkloads.cmake).

// How a floating-point type is made of bits.
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

// 10^x, for |x| <= 10 within 1.2e-7 (float) or 2.4e-16 (double) of it. Mathematical libraries
// differ in the last bit of their powers; this is the same everywhere. Reduction by powers of two
// in two parts (Cody and Waite 1980), then a Taylor polynomial.
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
    // Normal numbers only.
    const R least = R(1 - bias);
    const R most = R(bias);
    const R clamped = n < least ? least : (n > most ? most : n);
    using Word = typename Bits<R>::Type;
    const Word exponent = static_cast<Word>(static_cast<int>(clamped) + bias);
    return p * value_of<R>(exponent << Bits<R>::mantissa);
}

// A sum, with what rounding lost carried along where it is compensated (Kahan 1965).
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

// MAGFLOW: what flows between two cells, and what becomes of a cell in a step. Bilotta, Rustico,
// Hérault, Vicari, Russo, Del Negro and Gallo 2011 (Annals of Geophysics 54, 580-591); the heat
// terms after Del Negro, Fortuna, Herault and Vicari 2008 (Bulletin of Volcanology 70, 805-812).
//
// All arithmetic is in R, and its order is part of the definition (arithmetic.hpp).

// The neighbors in the order in which their contributions are added: W, E, SW, NE, S, N, SE, NW.
// Row 0 is the northernmost. Neighbors 2 k and 2 k + 1 are opposite.
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

// Altitude of cells without ground and beyond the edge: a wall.
inline constexpr double wall = 1e6;  // m

template <class R>
struct FlowParameters {
    R shift = 0;             // K, of the temperature in the viscosity's law
    R numerator = 0;         // K, of the same
    R yield_a = 0;           // log10 of the yield strength at 0 K, Pa
    R yield_b = 0;           // its fall, 1/K
    R weight = 0;            // density times gravity, N/m^3
    R area = 0;              // of a cell, m^2
    R distance[2] = {};      // to neighbors on the sides and on the corners, m
    R share = 0;             // of a cell's lava that may leave it in a step
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

// Thickness that lava must exceed to flow, m (Equation 2). `bed`: drop of the ground, solid lava
// included, towards the receiver; `surface` > 0: that of the free surface.
template <class R>
CAMBER_HD inline R critical_thickness(R strength, R bed, R surface, R distance,
                                      const FlowParameters<R>& p) {
    return (strength * root(bed * bed + distance * distance)) / (p.weight * surface);
}

// Flux of a Bingham fluid from a cell that has lava h at `temperature`, m^3/s (Equation 1, its
// cubic in factors, which cancel nothing where h is close to the critical thickness).
template <class R>
CAMBER_HD inline R flux(R h, R temperature, R bed, R surface, R distance,
                        const FlowParameters<R>& p) {
    if (!(h > 0)) return 0;
    const R strength = yield_strength(temperature, p);
    const R critical = critical_thickness(strength, bed, surface, distance, p);
    if (!(h > critical)) return 0;
    const R a = h / critical;
    return ((((strength * critical) * critical) * distance) / (R(3) * viscosity(temperature, p))) *
           (((a - R(1)) * (a - R(1))) * (a + R(0.5)));
}

// A cell as its neighbors see it.
template <class R>
struct Lava {
    R ground;       // with solid lava on it, m
    R thickness;    // of fluid lava, m
    R temperature;  // K
};

// Exchange of a pair: volume, and heat as volume times temperature. Both are positive; `gives` is
// true if they leave the first cell.
template <class R>
struct Exchange {
    R volume;  // m^3/s
    R heat;    // m^3 K/s
    bool gives;

    CAMBER_HD Exchange reversed() const { return {volume, heat, !gives}; }
};

// The higher free surface gives, by its own temperature, so that both cells of a pair find the same
// bits.
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

// The exchanges of a cell added up, neighbor by neighbor.
template <class R, bool compensated>
struct CellFlux {
    Sum<R, compensated> volume;
    Sum<R, compensated> heat;
    R outflow = 0;

    // `emission`: what a vent in the cell gives, m^3/s.
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

// The longest step in which no more than the allowed share of a cell's lava leaves it, s. Gross
// outflow, not the balance: that is stricter, and keeps rounding from growing.
template <class R>
CAMBER_HD inline R step_limit(R h, R outflow, const FlowParameters<R>& p) {
    return outflow > 0 ? ((p.share * h) * p.area) / outflow : p.longest_step;
}

template <class R>
struct UpdateParameters {
    R capacity = 0;        // density times specific heat, J/(m^3 K)
    R area = 0;            // m^2
    R cell_capacity = 0;   // capacity times area, J/(m K)
    R solid_capacity = 0;  // that times the temperature of solidification, J/m
    R radiation = 0;       // emissivity times Stefan and Boltzmann's constant times area, W/K^4
    R solid = 0;           // temperature of solidification, K
};

// Quantities of a cell that persist from step to step.
template <class R>
struct Cell {
    R thickness;    // of fluid lava, m
    R solidified;   // m
    R heat;         // of the fluid, J
    R temperature;  // of the fluid, K; 0 where there is none
};

// The same as sums over the steps.
template <class R, bool compensated>
struct CellSums {
    Sum<R, compensated> thickness;
    Sum<R, compensated> solidified;
    Sum<R, compensated> heat;
    R temperature;
};

// A step of dt seconds: what flowed, radiation from the top of what was there at the start, and
// solidification of just enough that the rest stays at the temperature of solidification.
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
    // A film that freezes through.
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
