// Arithmetic of a cell for kernels of a whole step: the reference's operations in its order.
#pragma once

#include "harness/registry/execution.hpp"
#include "variants/lava/sciara_fv2/outflows_by_bounds.hpp"
#include "variants/lava/sciara_fv2/power_tables.hpp"
#include "workloads/lava/sciara_fv2/rules.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

struct CanonicalLava {
    static constexpr Arithmetic arithmetic = Arithmetic::canonical;
    static constexpr const char* path = "";
    using Tables = NoTables;

    using Outflow = sciara_fv2::OutflowParameters;
    using Cooling = sciara_fv2::CoolingParameters;
    static Outflow outflow(const ParameterSet& set) { return sciara_fv2::outflow_parameters(set); }
    static Cooling cooling(const ParameterSet& set) { return sciara_fv2::cooling_parameters(set); }

    // Arguments and results as of sciara_fv2::head() and sciara_fv2::outflows().
    CAMBER_DEVICE static double head(int k, double z_0, double z_k, double h_k) {
        return sciara_fv2::head(k, z_0, z_k, h_k);
    }
    CAMBER_DEVICE static void outflows(const double (&heads)[sciara_fv2::neighbours + 1],
                                       double h_0, double temperature, const Outflow& parameters,
                                       double (&flows)[sciara_fv2::neighbours],
                                       const Tables& = {}) {
        outflows_by_bounds(heads, h_0, temperature, parameters, flows);
    }

    // Exchanges inflows, with their temperatures, and outflows; then applies a step's radiation.
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
