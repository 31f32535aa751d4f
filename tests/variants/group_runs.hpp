// Eruptions on several devices, compared with the reference.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/groups/pipeline_partitions.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/exchange_ways.hpp"
#include "tests/variants/named_variant.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::group_runs {

struct Scene {
    const Workload& workload;
    Problem problem;
    State start;
    std::vector<const char*> carried;  // fields that a step passes to the next

    State after(int steps) const {
        State state = start;
        advance(workload, state, {problem.boundary, problem.parameters}, steps);
        return state;
    }
    // Bitwise comparison.
    bool are_same(const State& a, const State& b) const {
        return std::ranges::all_of(carried, [&](const char* field) {
            return std::ranges::equal(a.field(field).bytes(), b.field(field).bytes());
        });
    }
};

// A cone of rough ground with lava on half of its cells, so that lava crosses every edge in both
// directions; one vent is on the summit, in the middle row, and one on the flank.
inline Scene volcano(const char* name, Size size, ElementType cell,
                     std::vector<const char*> carried) {
    const Workload& workload = *find_workload(name);
    const InitialConditions conditions{.size = size, .cell = cell, .seed = 3, .density = 0.5};
    return {workload,
            {size, Boundary::dead, cell, workload.parameters_for(conditions)},
            workload.initial(conditions),
            std::move(carried)};
}

inline GroupChoice choice_of(std::vector<int> weights, const Exchange& exchange) {
    GroupChoice choice;
    choice.devices.assign(weights.size(), 0);
    choice.division.weights = std::move(weights);
    choice.exchange = exchange;
    return choice;
}
inline GroupChoice choice_of(int places, const Exchange& exchange) {
    return choice_of(std::vector<int>(static_cast<std::size_t>(places), 1), exchange);
}

using Expected = std::vector<std::pair<int, State>>;

inline Expected expected_after(const Scene& scene, const std::vector<int>& steps) {
    Expected expected;
    for (const int n : steps) expected.emplace_back(n, scene.after(n));
    return expected;
}

// Expected states of variants whose arithmetic differs from the reference's, computed by the
// variant on one device.
inline Expected expected_of(const std::string& name, const Scene& scene,
                            const std::vector<int>& steps) {
    const Variant& variant =
        executor_variant(std::string(scene.workload.name()) + "/" + name, scene.problem.cell);
    Expected expected;
    for (const int n : steps) {
        ExecutorRun run(variant, scene.start, scene.problem.parameters);
        expected.emplace_back(n, run.after(n));
    }
    return expected;
}

// True if three devices, whose board `plans` divide, reach the expected state after `steps` steps.
inline bool is_right(const std::vector<StepPlan>& plans, const Scene& scene, bool overlap,
                     int steps, const State& expected,
                     const GroupExchange::HaloMaker& make = make_exchange) {
    simt::HostQueue lead(1);
    const GroupChoice choice = choice_of(3, {ExchangePath::copies, overlap});
    const auto pipeline = divide<RowPartition>(std::make_unique<Group>(lead, choice.devices),
                                               GroupExchange(choice.exchange, make), scene.problem,
                                               plans, choice.division);
    pipeline->upload(scene.start);
    pipeline->advance(steps);
    State state = scene.start;
    pipeline->download(state);
    return scene.are_same(state, expected);
}

// Checks the states after several numbers of steps; before each further run, the outputs are
// poisoned.
inline void check_steps(const std::string& name, const Scene& scene, const GroupChoice& choice,
                        const Expected& expected) {
    CAPTURE(name, choice.division.weights, camber::name(choice.exchange.path),
            choice.exchange.overlap, choice.division.halo_depth);
    simt::HostQueue lead(1);
    const Variant& variant =
        executor_variant(std::string(scene.workload.name()) + "/" + name, scene.problem.cell);
    REQUIRE(variant.group_factories.contains(Backend::simt));
    const auto execution = variant.group_factories.at(Backend::simt)(lead, scene.problem, choice);
    execution->upload(scene.start);
    State state = scene.start;
    int done = 0;
    for (const auto& [steps, right] : expected) {
        CAPTURE(steps);
        if (done > 0) execution->poison(Poison::first);
        execution->advance(steps - done);
        done = steps;
        execution->download(state);
        CHECK(scene.are_same(state, right));
    }
}

}  // namespace camber::group_runs
