// MAGFLOW with lagged step lengths: several devices compute the same as the lagged reference.
#include <memory>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variants/group_runs.hpp"
#include "tests/workloads/lava/magflow/cases.hpp"
#include "workloads/lava/magflow/parameters.hpp"
#include "workloads/lava/start.hpp"

namespace camber::magflow_lagged_group_test {
namespace {

using namespace group_runs;

Scene eruption(Size size, double lag, ElementType cell = ElementType::float32) {
    return {
        *find_workload("magflow"),
        {size, Boundary::dead, cell,
         magflow::changed(magflow::etna(lava::volcano_rates()), {{"linear_rates", 1},
                                                                 {"slot_length", 1},
                                                                 {"dt_max", 3},
                                                                 {magflow::lag_parameter, lag}})},
        magflow::initial_state(lava::volcano(size, 3, 0.5), cell, magflow::capacity),
        {"thickness", "solidified", "heat", "temperature", "time"}};
}

GroupChoice lagging(std::vector<int> weights, Exchange exchange) {
    exchange.minimum = Minimum::lagged;
    return choice_of(std::move(weights), exchange);
}

constexpr const char* four_kernels = "halo/four_kernels/64x1/align128";

// True if devices agree with the reference, with lagged steps or without.
bool agree(const Exchange& exchange, double lag) {
    const Scene scene = eruption({37, 27}, lag);
    simt::HostQueue lead(1);
    const auto execution =
        executor_variant(std::string("magflow/") + four_kernels, ElementType::float32)
            .group_factories.at(Backend::simt)(lead, scene.problem, choice_of(3, exchange));
    execution->upload(scene.start);
    execution->advance(7);
    State state = scene.start;
    execution->download(state);
    return scene.are_same(state, scene.after(7));
}

}  // namespace

TEST_CASE("steps that lag are the reference's that lag", "[magflow][group][lagged]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64}) {
        const Scene scene = eruption({37, 27}, 1, cell);
        const auto expected = expected_after(scene, {1, 2, 3, 8});
        for (const Exchange& exchange : exchanges())
            for (const std::vector<int>& weights :
                 {std::vector{1}, std::vector{2, 1}, std::vector{1, 3, 1, 2}})
                for (const char* name : {four_kernels, "fused_minimum/three_kernels/64x4/align128"})
                    check_steps(name, scene, lagging(weights, exchange), expected);
    }
}

TEST_CASE("a step that lags is another one", "[magflow][group][lagged][mutants]") {
    Exchange exchange{ExchangePath::copies, true};
    exchange.minimum = Minimum::lagged;
    CHECK(agree(exchange, 1));
    CHECK_FALSE(agree(exchange, 0));
    exchange.minimum = Minimum::current;
    CHECK(agree(exchange, 0));
    CHECK_FALSE(agree(exchange, 1));
}

TEST_CASE("the first step that lags takes its own length, and the second one that too",
          "[magflow][lagged]") {
    const auto times = [](double lag) {
        const Scene scene = eruption({37, 27}, lag);
        std::vector<double> times;
        for (const int steps : {1, 2, 3, 4})
            times.push_back(scene.after(steps).field("time").cells<double>()[0]);
        return times;
    };
    const std::vector<double> own = times(0);
    const std::vector<double> lagged = times(1);
    CHECK(lagged[0] == own[0]);
    CHECK(lagged[1] == lagged[0] + lagged[0]);
    // The second state is the same in both runs, and so is the step length that its fluxes allow.
    CHECK(lagged[2] - lagged[1] == Approx(own[1] - own[0]));
    CHECK_THROWS_WITH(magflow::lagged(eruption({37, 27}, 2).problem.parameters), contains("lag"));
}

TEST_CASE("MAGFLOW may be stored transposed", "[magflow][group][transposed]") {
    const Scene scene = eruption({41, 27}, 0);
    const auto expected = expected_after(scene, {1, 2, 7});
    for (const Exchange& exchange : exchanges()) {
        GroupChoice choice = choice_of({2, 1, 3}, exchange);
        choice.division.partition = Partition::transposed;
        check_steps(four_kernels, scene, choice, expected);
    }
    GroupChoice plain = choice_of(3, {ExchangePath::stores, true});
    plain.division.partition = Partition::transposed;
    Scene without = scene;
    without.problem.parameters.set("kahan", {0});
    check_steps(four_kernels, without, plain, expected_after(without, {4}));
}

}  // namespace camber::magflow_lagged_group_test
