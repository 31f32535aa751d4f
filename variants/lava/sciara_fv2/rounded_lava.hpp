// A cell's arithmetic with the bits of CanonicalLava on a chain of dependent instructions not much
// longer than ShortLava's: every sum and product is rounded as there, powers have the bits of
// glibc's pow() on a device too, quotients are products where their divisor is known early.
//
// What to expect: machine code for sm_90, followed instruction by instruction through a step of a
// warp with three averages in the search, takes 2700 cycles where CanonicalLava's takes 7000 and
// ShortLava's 2200, if a result in double precision is ready after 8 cycles; 3900, 10300 and 2900
// if after 16. It executes 360, 660 and 250 instructions of double precision. So it is an eighth of
// the way from ShortLava to CanonicalLava, whose steps take 3.0 and 6.2 us on an H200, two a
// launch: 3.5 us a step in rounded/16x12/n2, of which the tables' way to shared memory is less than
// 0.1. Measured are 3.3 (results/h200-newer).
#pragma once

#include "harness/registry/execution.hpp"
#include "variants/lava/sciara_fv2/level_search.hpp"
#include "variants/lava/sciara_fv2/power_tables.hpp"
#include "variants/lava/sciara_fv2/short_lava.hpp"
#include "variants/lava/sciara_fv2/table_powers.hpp"
#include "workloads/lava/sciara_fv2/rules.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

struct RoundedLava {
    static constexpr Arithmetic arithmetic = Arithmetic::canonical;
    static constexpr const char* path = "rounded/";
    static constexpr int neighbours = sciara_fv2::neighbours;

    using Tables = PowerTables;
    struct Outflow {
        sciara_fv2::OutflowParameters laws;
        Reciprocal per_count[reciprocal_counts];  // by number of cells; 0 where there is none
    };
    struct Cooling {
        double emissivity, stefan_boltzmann, clock, cooling, area, solid;
        double capacity;  // heat that a volume of lava holds, J m^-3 K^-1
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

    // Arguments and results as of sciara_fv2::head() and sciara_fv2::outflows().
    CAMBER_DEVICE static double head(int k, double z_0, double z_k, double h_k) {
        const double z = sciara_fv2::is_diagonal(k) ? z_0 - quotient(z_0 - z_k, per_root_2()) : z_k;
        return z + h_k;
    }
    template <class Lookup>
    CAMBER_DEVICE static void outflows(const double (&heads)[neighbours + 1], double h_0,
                                       double temperature, const Outflow& parameters,
                                       double (&flows)[neighbours], const Lookup& tables) {
        const sciara_fv2::OutflowParameters& laws = parameters.laws;
        // Both are under way while the average is sought.
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

    // Arguments and results as of CanonicalLava::exchange_and_cool(), but for the temperature of
    // lava that is solid: it would only become colder, and is left out.
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
    // solid, as in the reference.
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
