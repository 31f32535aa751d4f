// Runs of the reference, in double unless asked otherwise.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "workloads/core/factories.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/particles/sph/neighbors.hpp"
#include "workloads/particles/sph/state.hpp"

namespace camber::sph::reference_test {

struct Run {
    std::unique_ptr<Workload> workload = make_sph();
    ParameterSet parameters;
    State state;
    int number = 0;

    explicit Run(const std::vector<std::pair<const char*, double>>& values,
                 ElementType cell = ElementType::float64)
        : parameters(workload->facts().parameters) {
        for (const auto& [name, value] : values) parameters.set(name, {value});
        state = start_of(*workload, {.cell = cell}, parameters);
    }
    std::span<double> at(const char* name) { return state.field(name).cells<double>(); }
    double time() const { return state.field(time_field).cells<double>()[0]; }
    void advance(int iterations, int threads = 1) {
        camber::advance(*workload, state,
                        {.parameters = parameters, .number = number, .threads = threads},
                        iterations);
        number += iterations;
    }
    void advance_to(double end, int threads = 1) {
        while (time() < end) advance(1, threads);
    }
    Figures figures() const { return figures_of(state); }
    bool is_fluid(std::size_t id) const {
        return state.field(kind_field).cells<std::uint8_t>()[id] == 0;
    }
};

inline Positions<double> positions_of(const Run& run) {
    return {run.state.field("x").cells<double>(), run.state.field("y").cells<double>(),
            run.state.field("z").cells<double>(),
            run.state.field(kind_field).cells<std::uint8_t>()};
}

}  // namespace camber::sph::reference_test
