// Arithmetic of a cell for kernels that compute a whole step: CanonicalLava in the reference's
// order, ShortLava with short dependency chains, RoundedLava with the reference's bits on short
// chains.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "harness/registry/execution.hpp"
#include "variants/lava/sciara_fv2/outflows.hpp"
#include "variants/lava/sciara_fv2/power_table.hpp"
#include "workloads/lava/sciara_fv2/parameters.hpp"
#include "workloads/lava/sciara_fv2/rules.hpp"

// CanonicalLava: the reference's operations in its order.
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

struct CanonicalLava {
    static constexpr Arithmetic arithmetic = Arithmetic::canonical;
    static constexpr const char* path = "";
    using Tables = NoTables;

    using Outflow = sciara_fv2::OutflowParameters;
    using Cooling = sciara_fv2::CoolingParameters;
    static Outflow outflow(const ParameterSet& set) { return sciara_fv2::outflow_parameters(set); }
    static Cooling cooling(const ParameterSet& set) { return sciara_fv2::cooling_parameters(set); }

    // Arguments and results as in sciara_fv2::head() and sciara_fv2::outflows().
    CAMBER_DEVICE static double head(int k, double z_0, double z_k, double h_k) {
        return sciara_fv2::head(k, z_0, z_k, h_k);
    }
    CAMBER_DEVICE static void outflows(const double (&heads)[sciara_fv2::neighbours + 1],
                                       double h_0, double temperature, const Outflow& parameters,
                                       double (&flows)[sciara_fv2::neighbours],
                                       const Tables& = {}) {
        outflows_by_bounds(heads, h_0, temperature, parameters, flows);
    }

    // Exchanges inflows, with their temperatures, and outflows; then applies one step of radiation.
    CAMBER_DEVICE static void exchange_and_cool(
        const double (&in)[sciara_fv2::neighbours],
        const double (&in_temperature)[sciara_fv2::neighbours],
        const double (&out)[sciara_fv2::neighbours], double& h, double& t,
        const Cooling& parameters, const Tables& = {}) {
        sciara_fv2::Mixture mixture(h, t);
        for (int k = 0; k < sciara_fv2::neighbours; ++k)
            mixture.exchange(in[k], in_temperature[k], out[k], t);
        const Values<double, double> lava = sciara_fv2::after_exchange(mixture, h, t);
        h = get<0>(lava);
        t = get<1>(lava);
        if (h > 0) t = sciara_fv2::cooled(t, h, parameters);
    }
};

CAMBER_TARGET_END

// ShortLava: as few and as short function calls as possible. The duration of a one-step kernel is
// that of its longest dependency chain, and this chain is half as long as CanonicalLava's: no
// general powers, one quotient, no branches except in the search for the average. Results differ
// from the reference's in the last digits.
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// 2^x for |x| < 1000, with an error of at most two units in the last place. Taylor series: terms
// beyond the twelfth power are below the last place for |fraction| <= 1/2.
CAMBER_DEVICE double power_of_two(double x) {
    constexpr double log_2 = 0.693147180559945309417;
    const double whole = ::rint(x);
    const double y = (x - whole) * log_2;
    const double y_2 = y * y;
    const double y_4 = y_2 * y_2;
    const double low = ::fma(y_2, ::fma(y, 1.0 / 6, 1.0 / 2), 1 + y);
    const double middle =
        ::fma(y_2, ::fma(y, 1.0 / 5040, 1.0 / 720), ::fma(y, 1.0 / 120, 1.0 / 24));
    const double high = ::fma(
        y_4, 1.0 / 479001600,
        ::fma(y_2, ::fma(y, 1.0 / 39916800, 1.0 / 3628800), ::fma(y, 1.0 / 362880, 1.0 / 40320)));
    const std::int64_t bits = (static_cast<std::int64_t>(whole) + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return scale * ::fma(y_4, ::fma(y_4, high, middle), low);
}

// x^(-1/3) for 1 <= x < 10^30: an estimate in single precision, followed by one third-order
// iteration.
CAMBER_DEVICE double reciprocal_cube_root(double x) {
    const double guess = ::exp2f(::log2f(static_cast<float>(x)) * (-1.0f / 3));
    const double error = ::fma(-x, guess * guess * guess, 1.0);
    const double series = ::fma(error, ::fma(error, 14.0 / 81, 2.0 / 9), 1.0 / 3);
    return ::fma(guess * error, series, guess);
}

struct ShortLava {
    static constexpr Arithmetic arithmetic = Arithmetic::reordered;
    static constexpr const char* path = "short/";
    using Tables = NoTables;
    static constexpr int neighbours = sciara_fv2::neighbours;

    struct Outflow {
        // Laws converted to powers of two.
        sciara_fv2::Law share;               // share of the difference from the average that flows
        sciara_fv2::Law threshold;           // square of the critical thickness, m^2
        double area;                         // of a cell, m^2
        double reciprocals[neighbours + 2];  // of the integers from 0 on; element 0 is unused
    };
    struct Cooling {
        double rate;   // of radiation, m K^-3: coefficient of T^3 / h
        double solid;  // temperature at or below which lava is solid, K
    };

    static Outflow outflow(const ParameterSet& set) {
        const sciara_fv2::OutflowParameters p = sciara_fv2::outflow_parameters(set);
        const double per_ten = std::log2(10.0);
        Outflow outflow{{per_ten * p.relaxation.a, per_ten * p.relaxation.b},
                        {2 * per_ten * p.critical.a, 2 * per_ten * p.critical.b},
                        p.side * p.side,
                        {}};
        for (int n = 1; n < neighbours + 2; ++n) outflow.reciprocals[n] = 1.0 / n;
        return outflow;
    }
    static Cooling cooling(const ParameterSet& set) {
        const sciara_fv2::CoolingParameters p = sciara_fv2::cooling_parameters(set);
        return {3 * p.emissivity * p.stefan_boltzmann * p.clock * p.cooling /
                    (p.density * p.heat_capacity * p.area),
                p.solid};
    }

    // Arguments and results as in sciara_fv2::head() and sciara_fv2::outflows().
    CAMBER_DEVICE static double head(int k, double z_0, double z_k, double h_k) {
        constexpr double per_root_2 = 0.70710678118654752440;
        const double z = sciara_fv2::is_diagonal(k) ? ::fma(z_k - z_0, per_root_2, z_0) : z_k;
        return z + h_k;
    }
    CAMBER_DEVICE static void outflows(const double (&heads)[neighbours + 1], double h_0,
                                       double temperature, const Outflow& parameters,
                                       double (&flows)[neighbours], const Tables& = {}) {
        // Both are computed concurrently with the search for the average.
        const double share =
            power_of_two(::fma(parameters.share.b, temperature, parameters.share.a));
        const double threshold =
            power_of_two(::fma(parameters.threshold.b, temperature, parameters.threshold.a)) *
            parameters.area;
        const double surface = heads[0] + h_0;
        double average = surface;
        // The number of cells below the average decreases until it equals the number of cells in
        // the average, or exceeds it if rounding raised the average of the rest above the excluded
        // cell.
        for (int last = neighbours + 2;;) {
            double total[2] = {h_0, 0};
            int count = 0;
            for (int k = 0; k <= neighbours; ++k)
                if (heads[k] < average) {
                    total[k % 2] += heads[k];
                    ++count;
                }
            if (count >= last) break;
            last = count;
            average = (total[0] + total[1]) * parameters.reciprocals[count];
        }
        const double square = h_0 * h_0;
        for (int k = 1; k <= neighbours; ++k) {
            const double drop = surface - heads[k];
            const bool flows_there =
                heads[k] < average && square * ::fma(drop, drop, parameters.area) > threshold;
            flows[k - 1] = flows_there ? share * (average - heads[k]) : 0.0;
        }
    }

    // Arguments and results as in CanonicalLava::exchange_and_cool().
    CAMBER_DEVICE static void exchange_and_cool(const double (&in)[neighbours],
                                                const double (&in_temperature)[neighbours],
                                                const double (&out)[neighbours], double& h,
                                                double& t, const Cooling& parameters,
                                                const Tables& = {}) {
        double change[2] = {};
        double heat[2] = {};
        for (int k = 0; k < neighbours; ++k) {
            change[k % 2] += in[k] - out[k];
            heat[k % 2] = ::fma(in[k], in_temperature[k], ::fma(-out[k], t, heat[k % 2]));
        }
        double thickness = h + (change[0] + change[1]);
        double content = ::fma(h, t, heat[0] + heat[1]);
        if (!(thickness > 0)) {
            thickness = h;
            content = h * t;
        }
        if (!(thickness > 0)) return;
        const double per_metre = 1 / thickness;
        const double mixed = content * per_metre;
        h = thickness;
        t = mixed *
            reciprocal_cube_root(::fma(parameters.rate * per_metre, mixed * mixed * mixed, 1.0));
    }
};

CAMBER_TARGET_END

// RoundedLava: the bits of CanonicalLava on a dependency chain not much longer than ShortLava's.
// Every sum and product is rounded as in CanonicalLava, powers have the bits of glibc's pow() on a
// device too, and quotients are replaced by products if their divisor is available early.
//
// Expected performance: following the sm_90 machine code instruction by instruction through one
// step of a warp with three averages in the search gives 2700 cycles, against 7000 for
// CanonicalLava and 2200 for ShortLava, if a double-precision result is ready after 8 cycles; 3900,
// 10300 and 2900 if it is ready after 16. It executes 360, 660 and 250 double-precision
// instructions. So it is an eighth of the way from ShortLava to CanonicalLava, whose steps take 3.0
// and 6.2 us on an H200 with two steps per launch: 3.5 us per step are expected for
// rounded/16x12/n2, of which copying the tables to shared memory takes less than 0.1. Measured: 3.3
// us (results/experiments/sciara_fv2).
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

struct RoundedLava {
    static constexpr Arithmetic arithmetic = Arithmetic::canonical;
    static constexpr const char* path = "rounded/";
    static constexpr int neighbours = sciara_fv2::neighbours;

    using Tables = PowerTables;
    struct Outflow {
        sciara_fv2::OutflowParameters laws;
        Reciprocal per_count[reciprocal_counts];  // by number of cells; element 0 is unused
    };
    struct Cooling {
        double emissivity, stefan_boltzmann, clock, cooling, area, solid;
        double capacity;  // heat per volume of lava, J m^-3 K^-1
    };

    static Outflow outflow(const ParameterSet& set) {
        Outflow outflow{sciara_fv2::outflow_parameters(set), {}};
        for (int n = 1; n < reciprocal_counts; ++n) outflow.per_count[n] = reciprocal_of_count(n);
        return outflow;
    }
    static Cooling cooling(const ParameterSet& set) {
        const sciara_fv2::CoolingParameters p = sciara_fv2::cooling_parameters(set);
        return {p.emissivity, p.stefan_boltzmann,         p.clock, p.cooling, p.area,
                p.solid,      p.density * p.heat_capacity};
    }

    // Arguments and results as in sciara_fv2::head() and sciara_fv2::outflows().
    CAMBER_DEVICE static double head(int k, double z_0, double z_k, double h_k) {
        const double z = sciara_fv2::is_diagonal(k) ? z_0 - quotient(z_0 - z_k, per_root_2()) : z_k;
        return z + h_k;
    }
    template <class Lookup>
    CAMBER_DEVICE static void outflows(const double (&heads)[neighbours + 1], double h_0,
                                       double temperature, const Outflow& parameters,
                                       double (&flows)[neighbours], const Lookup& tables) {
        const sciara_fv2::OutflowParameters& laws = parameters.laws;
        // Both are computed concurrently with the search for the average.
        const double share =
            power_of_ten(laws.relaxation.a + laws.relaxation.b * temperature, tables);
        const double critical =
            power_of_ten(laws.critical.a + laws.critical.b * temperature, tables);
        const double surface = heads[0] + h_0;
        unsigned candidates = 1;
        for (int k = 1; k <= neighbours; ++k) candidates |= (surface > heads[k] ? 1u : 0u) << k;
        const Level level =
            minimised_by_zeros(heads, candidates, h_0, surface, parameters.per_count);
        const unsigned flowing = thick_enough(heads, level.kept, h_0, surface, critical, laws.side);
        for (int k = 1; k <= neighbours; ++k)
            flows[k - 1] = flowing >> k & 1 ? share * (level.height - heads[k]) : 0.0;
    }

    // Arguments and results as in CanonicalLava::exchange_and_cool(), except for the temperature of
    // solid lava: further cooling is skipped.
    template <class Lookup>
    CAMBER_DEVICE static void exchange_and_cool(const double (&in)[neighbours],
                                                const double (&in_temperature)[neighbours],
                                                const double (&out)[neighbours], double& h,
                                                double& t, const Cooling& parameters,
                                                const Lookup& tables) {
        sciara_fv2::Mixture mixture(h, t);
        for (int k = 0; k < neighbours; ++k) mixture.exchange(in[k], in_temperature[k], out[k], t);
        if (mixture.thickness > 0) {
            h = mixture.thickness;
            t = mixture.heat / mixture.thickness;
        }
        if (h > 0 && t > parameters.solid) t = cooled(t, h, parameters, tables);
    }

  private:
    // Same as sciara_fv2::cooled(). Reciprocals of divisors are computed in parallel with the
    // powers. If hardly any lava is left, x may overflow; the result is then 0 or NaN, and the lava
    // solidifies, as in the reference.
    template <class Lookup>
    CAMBER_DEVICE static double cooled(double temperature, double h, const Cooling& p,
                                       const Lookup& tables) {
        const double stored = p.capacity * h * p.area;
        const double per_stored = 1 / stored;
        const double radiated = 3 * power(temperature, 3.0, tables) * p.emissivity *
                                p.stefan_boltzmann * p.clock * p.cooling;
        const double x = 1 + quotient(radiated, stored, per_stored);
        const double guess = reciprocal_cube_root(x);
        const double root = power(x, 1.0 / 3, tables);
        return quotient_by_guess(temperature, root, guess);
    }
};

CAMBER_TARGET_END
