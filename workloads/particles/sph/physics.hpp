// Physics of smoothed-particle hydrodynamics for a weakly compressible fluid (Rustico 2012, chapter
// 7): interaction of two particles and change of one, with plain or compensated sums.
#pragma once

#include <cmath>

#include "harness/base/target.hpp"
#include "workloads/particles/sph/parameters.hpp"

namespace camber::sph {

// Summation method for forces.
enum class Sums {
    plain,        // one term after another
    compensated,  // the rounding error is added to the next term: Kahan 1965
};

template <class R, Sums sums>
class Sum {
  public:
    CAMBER_HD void add(R term) { value_ += term; }
    CAMBER_HD R value() const { return value_; }

  private:
    R value_ = 0;
};

template <class R>
class Sum<R, Sums::compensated> {
  public:
    CAMBER_HD void add(R term) {
        const R whole = term - excess_;
        const R next = value_ + whole;
        excess_ = (next - value_) - whole;
        value_ = next;
    }
    CAMBER_HD R value() const { return value_; }

  private:
    R value_ = 0;
    R excess_ = 0;  // of `value_` over the exact sum of the terms
};

// Smoothed-particle hydrodynamics of a weakly compressible fluid after Rustico 2012, chapter 7:
// interaction of two particles, and the resulting change of one.
//
// The order of all operations is part of the definition. Sources that include this file are
// compiled without contraction of products and sums (cmake/ExactWorkloads.cmake), so that variants
// with any memory layout give the same bits.
//
// Particle j is updated, i is its neighbor; x = x_j - x_i, v = v_j - v_i, F = (dW/dr)/r <= 0.
inline constexpr double gravity = 9.81;          // m/s^2
inline constexpr double rest_density = 1000;     // kg/m^3
inline constexpr double smoothing_factor = 1.3;  // h / dp
inline constexpr int most_neighbours = 128;      // of a particle: Rustico 2012, section 7.3.3

// Maximum distance of pairs in a neighbor list, m: 2h plus, with a skin, the distance that a pair
// may approach before the next list is built.
double list_radius(const Settings& settings);
// Number of entries in a particle's list: grows with the volume within the list's radius, and is
// rounded up to whole cache lines.
int list_capacity(const Settings& settings);

CAMBER_HD inline float root(float x) {
    return ::sqrtf(x);
}
CAMBER_HD inline double root(double x) {
    return ::sqrt(x);
}

// Root, reciprocal and viscosity of a pair of particles. In float, a GPU takes three to six
// instructions for a root or quotient, where the compiler's own forms also test whether an operand
// is too small or too large for them, and branch. The results are rounded correctly (Markstein
// 1990), so the bits are those of the CPU if x is a normal number: pair_root(x) serves for
// 1 - c * root, which is the same for all x below 1e-30, and 1 / x must be normal, too.
template <class R>
CAMBER_HD R pair_root(R x) {
    return root(x);
}
template <class R>
CAMBER_HD R pair_reciprocal(R x) {
    return R(1) / x;
}
// Returns x, or 0 if it is negative.
template <class R>
CAMBER_HD R if_positive(R x) {
    return x > R(0) ? x : R(0);
}
// Returns `pressures` minus alpha * speeds * approach / divisor for particles that approach each
// other (approach < 0).
template <class R>
CAMBER_HD R minus_viscosity(R pressures, R alpha, R speeds, R approach, R divisor) {
    if (approach < R(0)) return pressures - alpha * speeds * approach / divisor;
    return pressures;
}

#if defined(__CUDA_ARCH__)
CAMBER_DEVICE float pair_root(float x) {
    const float positive = fmaxf(x, 1e-30f);
    float per_root;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(per_root) : "f"(positive));
    const float first = positive * per_root;
    return __fmaf_rn(__fmaf_rn(-first, first, positive), 0.5f * per_root, first);
}
CAMBER_DEVICE float pair_reciprocal(float x) {
    float first;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(first) : "f"(x));
    return __fmaf_rn(__fmaf_rn(-x, first, 1.0f), first, first);
}
CAMBER_DEVICE float if_positive(float x) {
    return fmaxf(x, 0.0f);
}
CAMBER_DEVICE float minus_viscosity(float pressures, float alpha, float speeds, float approach,
                                    float divisor) {
    // Scaled so that no remainder of the division is below the normal range.
    const float dividend = alpha * 0x1p60f * speeds * fminf(approach, 0.0f);
    const float per_divisor = pair_reciprocal(divisor);
    const float first = dividend * per_divisor;
    const float quotient = __fmaf_rn(__fmaf_rn(-divisor, first, dividend), per_divisor, first);
    return __fmaf_rn(quotient, -0x1p-60f, pressures);
}
#endif

template <class R>
struct Constants {
    R h = 0;                // smoothing length, m
    R inverse_radius = 0;   // 1 / 2h
    R radius_2 = 0;         // (2h)^2
    R list_radius_2 = 0;    // maximum squared distance of pairs in a list
    R density_factor = 0;   // of W, 1/m^3
    R slope_factor = 0;     // of F, negative, 1/m^5
    R mass = 0;             // of a particle, kg
    R slope_mass = 0;       // slope_factor times mass
    R inverse_density = 0;  // 1 / rho_0
    R stiffness = 0;        // rho_0 c_s^2 / 7, Pa
    R sound = 0;            // c_s, m/s
    R alpha_h = 0;          // factor of the artificial viscosity, m
    R softening = 0;        // 0.01 h^2: keeps the artificial viscosity finite
    R nu = 0;               // m^2/s
    R gravity = 0;          // m/s^2
    R wall_distance_2 = 0;  // r_0^2: maximum squared distance at which walls repel
    R wall_strength = 0;    // D, m^2/s^2
    R cfl = 0;
    R viscous_step = 0;  // h^2 / nu, s: infinite without viscosity
};

template <class R>
Constants<R> constants_of(const Settings& settings);

// Smoothing kernel of Wendland 1995, for q = r/h < 2.
template <class R>
CAMBER_HD R weight(const Constants<R>& k, R r) {
    const R t = R(1) - r * k.inverse_radius;
    if (!(t > R(0))) return R(0);
    const R t_2 = t * t;
    return k.density_factor * (t_2 * t_2) * (R(1) + R(4) * (r * k.inverse_radius));
}
// F, the kernel's slope divided by r.
template <class R>
CAMBER_HD R slope(const Constants<R>& k, R r) {
    const R t = R(1) - r * k.inverse_radius;
    if (!(t > R(0))) return R(0);
    return k.slope_factor * (t * t * t);
}

template <class R>
CAMBER_HD R pressure(const Constants<R>& k, R density) {
    const R s = density * k.inverse_density;
    const R s_2 = s * s;
    const R s_4 = s_2 * s_2;
    return k.stiffness * (s_4 * s_2 * s - R(1));
}
template <class R>
CAMBER_HD R sound_speed(const Constants<R>& k, R density) {
    const R s = density * k.inverse_density;
    return k.sound * (s * s * s);
}

// Elastic energy, J/kg: work done on water since it had the rest density, the integral of P /
// rho^2.
template <class R>
CAMBER_HD R elastic_energy(const Constants<R>& k, R density) {
    const R s = density * k.inverse_density;
    const R s_2 = s * s;
    return k.stiffness * k.inverse_density * (s_2 * s_2 * s_2 / R(6) + R(1) / s - R(7) / R(6));
}

// Properties of a particle that its neighbors read. Walls have density 0.
template <class R>
struct Particle {
    R x, y, z, density;
    R vx, vy, vz, pressure;

    CAMBER_HD bool is_fluid() const { return density > R(0); }
};

// Force on a particle: acceleration and density rate.
template <class R>
struct Force {
    R x = 0, y = 0, z = 0;
    R rate = 0;
};

// Total force on a particle with the given density, from the sum over its neighbors.
template <class R>
CAMBER_HD Force<R> total_of(const Constants<R>& k, R density, const Force<R>& sum) {
    Force<R> total = sum;
    total.z = sum.z - k.gravity;
    total.rate = density * density * sum.rate;
    return total;
}

// Properties of a particle that forces need in addition to position and density.
template <class R>
struct Motion {
    R vx, vy, vz, pressure;
};

// Sum over a particle's neighbors, in the order in which they are added.
template <class R, Sums sums = Sums::plain>
class ForceSum {
  public:
    CAMBER_HD ForceSum(const Constants<R>& k, const Particle<R>& j)
        : j_(j), sound_(sound_speed(k, j.density)) {}

    // `i` is the neighbor's position and density; velocity() returns the same with its velocity and
    // pressure, and is called only for fluid within reach.
    CAMBER_EXEC_CHECK_DISABLE
    template <class Velocity>
    CAMBER_HD void add(const Constants<R>& k, R x_i, R y_i, R z_i, R density_i,
                       const Velocity& velocity) {
        if (density_i > R(0))
            add_term(of_fluid(k, x_i, y_i, z_i, density_i, velocity()));
        else
            add_wall(k, x_i, y_i, z_i);
    }

    CAMBER_HD void add_term(const Force<R>& term) {
        x_.add(term.x);
        y_.add(term.y);
        z_.add(term.z);
        rate_.add(term.rate);
    }
    // Current value of the sum.
    CAMBER_HD Force<R> terms() const { return {x_.value(), y_.value(), z_.value(), rate_.value()}; }

    CAMBER_HD Force<R> total(const Constants<R>& k) const {
        return total_of(k, j_.density, terms());
    }

    // Term of a fluid neighbor. The opposite term, which the neighbor adds for this particle, has
    // the same values with x, y and z negated.
    CAMBER_HD Force<R> of_fluid(const Constants<R>& k, R x_i, R y_i, R z_i, R density_i,
                                const Motion<R>& i) const {
        const R x = j_.x - x_i;
        const R y = j_.y - y_i;
        const R z = j_.z - z_i;
        const R r_2 = x * x + y * y + z * z;
        // A pair of the list may have moved out of reach; then t is 0.
        const R t = if_positive(R(1) - pair_root(r_2) * k.inverse_radius);
        const R f = k.slope_mass * (t * t * t);
        const R vx = j_.vx - i.vx;
        const R vy = j_.vy - i.vy;
        const R vz = j_.vz - i.vz;
        const R approach = x * vx + y * vy + z * vz;
        const R densities = j_.density + density_i;
        const R inverse = pair_reciprocal(j_.density * density_i);
        const R pressures = minus_viscosity(
            (j_.pressure + i.pressure) * inverse, k.alpha_h, sound_ + sound_speed(k, density_i),
            approach, densities * (r_2 + k.softening));
        const R along = -(pressures * f);
        const R drag = k.nu * densities * inverse * f;
        return {along * x + drag * vx, along * y + drag * vy, along * z + drag * vz,
                approach * f * inverse};
    }
    // Lennard-Jones repulsion within one spacing of the wall.
    CAMBER_HD void add_wall(const Constants<R>& k, R x_i, R y_i, R z_i) {
        const R x = j_.x - x_i;
        const R y = j_.y - y_i;
        const R z = j_.z - z_i;
        const R r_2 = x * x + y * y + z * z;
        if (!(r_2 < k.wall_distance_2)) return;
        const R inverse = R(1) / r_2;
        const R s = k.wall_distance_2 * inverse;
        const R s_6 = s * s * s;
        const R f = k.wall_strength * (s_6 * s_6 - s_6) * inverse;
        x_.add(f * x);
        y_.add(f * y);
        z_.add(f * z);
    }

  private:
    Particle<R> j_;
    R sound_;
    Sum<R, sums> x_, y_, z_, rate_;
};

// Longest step that a particle allows, before the viscous limit and the CFL factor are applied. The
// fluid's step follows from the minimum over all particles.
template <class R>
CAMBER_HD R step_limit(const Constants<R>& k, R density, const Force<R>& force) {
    const R by_sound = k.h / sound_speed(k, density);
    const R acceleration = root(force.x * force.x + force.y * force.y + force.z * force.z);
    const R by_force = root(k.h / acceleration);
    return by_force < by_sound ? by_force : by_sound;
}
template <class R>
CAMBER_HD R step_of(const Constants<R>& k, R least_limit) {
    return k.cfl * (least_limit < k.viscous_step ? least_limit : k.viscous_step);
}

// Predictor: a whole step `dt` with the forces at its start.
template <class R>
CAMBER_HD Particle<R> predicted(const Constants<R>& k, Particle<R> p, const Force<R>& f, R dt) {
    if (!p.is_fluid()) return p;
    p.vx += dt * f.x;
    p.vy += dt * f.y;
    p.vz += dt * f.z;
    p.x += dt * p.vx;
    p.y += dt * p.vy;
    p.z += dt * p.vz;
    p.density += dt * f.rate;
    p.pressure = pressure(k, p.density);
    return p;
}
// Corrector: the step with the forces at its predicted end.
template <class R>
CAMBER_HD Particle<R> corrected(const Constants<R>& k, Particle<R> p, const Force<R>& f, R dt) {
    if (!p.is_fluid()) return p;
    const R half = R(0.5) * dt;
    p.x += dt * (p.vx + half * f.x);
    p.y += dt * (p.vy + half * f.y);
    p.z += dt * (p.vz + half * f.z);
    p.vx += dt * f.x;
    p.vy += dt * f.y;
    p.vz += dt * f.z;
    p.density += dt * f.rate;
    p.pressure = pressure(k, p.density);
    return p;
}
// True if a step left a particle in a state impossible for water: its density changed by half, or
// it moved farther than its neighbors' reach.
template <class R>
CAMBER_HD bool has_blown_up(const Constants<R>& k, const Particle<R>& p, R dt) {
    if (!p.is_fluid() && p.density == R(0)) return false;
    const R s = p.density * k.inverse_density;
    const R way_2 = dt * dt * (p.vx * p.vx + p.vy * p.vy + p.vz * p.vz);
    return !(s > R(0.5) && s < R(1.5) && way_2 < k.radius_2);
}

}  // namespace camber::sph
