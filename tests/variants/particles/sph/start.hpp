// Initial scenes of `sph` for tests.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/registry/registry.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"
#include "workloads/particles/sph/state.hpp"

namespace camber::sph_test {

struct Start {
    const Workload& workload = *find_workload("sph");
    Problem problem{{}, Boundary::dead, {}, ParameterSet(workload.facts().parameters)};
    State state;

    explicit Start(const std::vector<std::pair<const char*, double>>& values,
                   ElementType cell = ElementType::float32) {
        problem.cell = cell;
        for (const auto& [name, value] : values) problem.parameters.set(name, {value});
        problem.size = workload.capabilities().parameter_start->size_for(problem.parameters);
        state = start_of(workload, {.cell = cell}, problem.parameters);
    }
    State expected(int iterations) const {
        State result = state;
        camber::advance(workload, result, {.parameters = problem.parameters}, iterations);
        return result;
    }
    State computed(const Variant& variant, int iterations,
                   simt::Recorder* recorder = nullptr) const {
        simt::HostQueue queue(1);
        const auto execution = variant.factories.at(Backend::simt)(queue, problem);
        State result = state;
        execution->upload(state);
        queue.executor().set_recorder(recorder);
        execution->advance(iterations);
        queue.executor().set_recorder(nullptr);
        execution->download(result);
        return result;
    }
    std::span<float> at(const char* name) { return state.field(name).cells<float>(); }
};

}  // namespace camber::sph_test
