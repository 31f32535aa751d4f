// Flow with which the published tables of SCIARA-fv3 were measured, for variants whose additions
// have no order.
#include <algorithm>
#include <optional>

#include "analysis/published/table.hpp"
#include "harness/measure/correctness/verification.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/lava/sciara_fv3/cases.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::sciara_fv3::published_plane_test {

TEST_CASE("the published plane's flow is so large that its limits allow any order of additions",
          "[sciara_fv3][published]") {
    const Workload& workload = *find_workload("sciara_fv3");
    const InitialConditions plane{
        .size = {400, 400}, .cell = ElementType::float32, .options = {{"ground", "plane"}}};
    const ParameterSet set = workload.parameters_for(plane);
    const auto steps_of = [](const char* table) {
        return published::find_table(published::tables(), table).here.reference_generations;
    };
    const int steps = steps_of("sciara-fv3-1");
    REQUIRE(steps == steps_of("sciara-fv3-2"));  // both times appear in one table
    const std::optional<FlowLimits> limits = workload
                                                 .tolerance({.cell = ElementType::float32,
                                                             .generations = steps,
                                                             .on_device = true,
                                                             .reordered = true})
                                                 .flow;
    const auto flow_of = [&](Order order) {
        State state = workload.initial(plane);
        advance_reference(state, set, steps, order);
        return workload.capabilities().eruption->flow(state, set);
    };
    const camber::Flow gathered = flow_of(Order::gather);
    const camber::Flow scattered = flow_of(Order::scatter_by_columns);
    REQUIRE(limits_for(limits, gathered, scattered));
    CHECK(gathered.thickness != scattered.thickness);
    CHECK(std::ranges::count_if(gathered.thickness, [](double h) { return h > 0; }) > 250);
    CHECK(exceeded(compare(gathered, scattered), *limits_for(limits, gathered, scattered)).empty());
}

}  // namespace camber::sciara_fv3::published_plane_test
