// States of the lava workloads as flows: covered cells, actual mass and expected mass.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/flow_statistics.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::lava::flow_test {
namespace {

struct Run {
    State state;
    Flow flow;
};

Run run(const char* name, ElementType cell, const ParameterSet& parameters,
        const InitialConditions& conditions, int generations) {
    const Workload& workload = *find_workload(name);
    Run result{workload.initial(conditions), {}};
    advance(workload, result.state, {.parameters = parameters}, generations);
    CHECK(result.state.field("thickness").element() == cell);
    result.flow = workload.capabilities().eruption->flow(result.state, parameters);
    return result;
}

InitialConditions volcano(ElementType cell) {
    return {.size = {40, 30}, .cell = cell, .seed = 3, .density = 0.05};
}

double error(const Flow& flow) {
    return relative_difference(flow.mass, flow.supplied);
}

}  // namespace

TEST_CASE("lava of SCIARA-fv2 covers where it is or was, and its mass is the account's",
          "[lava][flow]") {
    const ParameterSet set(find_workload("sciara_fv2")->facts().parameters);
    const auto [state, flow] =
        run("sciara_fv2", ElementType::float64, set, volcano(ElementType::float64), 60);
    const auto liquid = state.field("thickness").cells<double>();
    const auto solid = state.field("solidified").cells<double>();
    REQUIRE(flow.thickness.size() == liquid.size());
    REQUIRE(std::ranges::count_if(solid, [](double h) { return h > 0; }) > 0);
    for (std::size_t i = 0; i < liquid.size(); ++i) {
        CHECK(flow.thickness[i] == liquid[i] + solid[i]);
        CHECK(flow.reached[i] == (liquid[i] > 0 || solid[i] > 0));
    }
    CHECK_FALSE(flow.time);
    CHECK(error(flow) < 1e-12);
    // Lava has left the board; a flow with another course may lose a fiftieth more or less of it.
    const double lost = state.account.at("lost");
    CHECK(lost > 0);
    CHECK(flow.supplied_error == Approx(0.02 * std::min(lost, flow.supplied)));
}

TEST_CASE("lava of SCIARA-fv3 is compared by what is liquid, and supplied by its own clock",
          "[lava][flow]") {
    for (const ElementType cell : {ElementType::float64, ElementType::float32}) {
        const ParameterSet set(find_workload("sciara_fv3")->facts().parameters);
        const auto [state, flow] = run("sciara_fv3", cell, set, volcano(cell), 100);
        const double time = state.field("clock").cells<double>()[1];
        CHECK(flow.time == time);
        // 3 and 1.5 m^3/s on cells of 100 m^2 in the first slot.
        CHECK(flow.supplied == Approx(state.account.at("initial") + 0.045 * time).epsilon(1e-12));
        CHECK(flow.supplied_error == 0);
        CHECK(error(flow) < (cell == ElementType::float64 ? 1e-12 : 1e-6));
        const std::vector<double>& h = flow.thickness;
        const double liquid = std::accumulate(h.begin(), h.end(), 0.0);
        CHECK(liquid < flow.mass);  // the rest is solidified
        CHECK(std::ranges::count(flow.reached, 1) >
              std::ranges::count_if(h, [](double value) { return value > 0; }));
    }
}

TEST_CASE("what steps across a change of the rates gain or lose is known", "[lava][flow]") {
    // The second rate begins after 100 s, within a step.
    for (const char* name : {"sciara_fv3", "magflow"}) {
        ParameterSet set(find_workload(name)->facts().parameters);
        set.set("slot_length", {97});
        const auto [state, flow] =
            run(name, ElementType::float64, set, volcano(ElementType::float64), 400);
        CAPTURE(name, *flow.time, flow.mass, flow.supplied, flow.supplied_error);
        REQUIRE(*flow.time > 97);
        CHECK(flow.supplied_error > 0);
        CHECK(std::abs(flow.mass - flow.supplied) <= flow.supplied_error * (1 + 1e-12));
        CHECK(error(flow) > 1e-12);
    }
}

TEST_CASE("a flow of MAGFLOW has its solid lava and knows its supply", "[lava][flow]") {
    for (const ElementType cell : {ElementType::float64, ElementType::float32}) {
        const ParameterSet set(find_workload("magflow")->facts().parameters);
        const auto [state, flow] = run("magflow", cell, set, volcano(cell), 200);
        CHECK(flow.supplied == Approx(state.account.at("initial") + 0.045 * *flow.time));
        CHECK(flow.supplied_error == 0);
        CHECK(error(flow) < (cell == ElementType::float64 ? 1e-12 : 1e-6));
        const double all = std::accumulate(flow.thickness.begin(), flow.thickness.end(), 0.0);
        CHECK(all == Approx(flow.mass));
    }
}

TEST_CASE("what is no eruption says so, and only an input knows of a real event", "[lava][flow]") {
    for (const auto& workload : workloads())
        CHECK((workload->capabilities().eruption != nullptr) ==
              workload->facts().file_format.starts_with("folder"));
    CHECK_FALSE(find_workload("life")->capabilities().eruption);
    const InitialConditions conditions{.size = {5, 4}};
    const TestFolder folder;
    write_numbered_event(folder);
    InitialConditions event{.size = {4, 3}, .cell = ElementType::float64, .input = folder.path()};
    for (const char* name : {"sciara_fv2", "sciara_fv3", "magflow"}) {
        CHECK(find_workload(name)->capabilities().eruption->real_event(conditions).empty());
        CHECK(find_workload(name)->capabilities().eruption->real_event(event).empty());
    }
    write_text(folder / "test_000000000000_RealEvent.stt",
               raster_header + "0 0 1.00 0 0 1 1 0 -9999 0 0 2");
    const std::vector<std::uint8_t> real{0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1};
    for (const char* name : {"sciara_fv2", "sciara_fv3", "magflow"}) {
        CHECK(find_workload(name)->capabilities().eruption->real_event(event) == real);
        // Saved folders contain the real event, too.
        const Workload& workload = *find_workload(name);
        const auto results = folder / name;
        workload.save(workload.initial(event), results,
                      {event, workload.parameters_for(event), 0, ""});
        CHECK(text_of(results / "test_000000000000_RealEvent.asc")
                  .ends_with("0  0  1  0  \n0  1  1  0  \n0  0  0  1  \n"));
    }
}

}  // namespace camber::lava::flow_test
