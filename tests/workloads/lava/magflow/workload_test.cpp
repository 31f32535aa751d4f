// Interface of MAGFLOW to the harness.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/catch.hpp"
#include "tests/sentence.hpp"
#include "tests/workloads/core/real_eruptions.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "tests/workloads/lava/magflow/cases.hpp"
#include "tests/workloads/lava/saved_run.hpp"
#include "workloads/lava/start.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::magflow::workload_test {
namespace {

const Workload& workload() {
    return *find_workload("magflow");
}

InitialConditions volcano(Size size, double density = 0.5,
                          ElementType cell = ElementType::float32) {
    return {.size = size, .cell = cell, .seed = 3, .density = density};
}

}  // namespace

TEST_CASE("MAGFLOW says what it is", "[magflow]") {
    CHECK(workload().facts().cell_types == std::vector{ElementType::float32, ElementType::float64});
    CHECK(workload().facts().boundaries == std::vector{Boundary::dead});
    for (const ElementType cell : workload().facts().cell_types)
        CHECK(workload().reference_type(cell) == cell);
    // Bit-equal, on devices too.
    CHECK(workload().tolerance({.generations = 1000}).exact());
    CHECK(workload()
              .tolerance({.cell = ElementType::float32, .generations = 1000, .on_device = true})
              .exact());
    for (const char* field : {"thickness", "solidified", "heat", "temperature", "time"})
        CHECK(workload().writes(field));
    for (const char* field : {"altitude", "vents"}) CHECK_FALSE(workload().writes(field));
    CHECK(workload().facts().stored.bytes(ElementType::float32) == 21);
    // Fluxes take 28 bytes, their minimum 4, the update 40; vents are read twice.
    CHECK(workload().facts().moved.bytes(ElementType::float32) == 28 + 4 + 40 + 2);
    CHECK(workload().facts().moved.bytes(ElementType::float64) == 2 * 72 + 2);
    REQUIRE(workload().facts().account.size() == 1);
    CHECK(workload().facts().account[0].name == "emitted");
    CHECK(workload().facts().account[0].sign == 1);
}

TEST_CASE("without files MAGFLOW starts on the volcano", "[magflow]") {
    const State state = workload().initial(volcano({40, 30}));
    const lava::Event made = lava::volcano({40, 30}, 3, 0.5);
    for (std::size_t i = 0; i < made.altitude.size(); ++i) {
        REQUIRE(state.field("altitude").cells<float>()[i] == static_cast<float>(made.altitude[i]));
        const float h = state.field("thickness").cells<float>()[i];
        REQUIRE(h == static_cast<float>(made.thickness[i]));
        REQUIRE(state.field("heat").cells<float>()[i] ==
                static_cast<float>(capacity * made.thickness[i] * made.temperature[i]));
    }
    const auto vents = state.field("vents").cells<std::uint8_t>();
    CHECK(vents[15 * 40 + 20] == 1);
    CHECK(vents[18 * 40 + 26] == 2);
    CHECK(state.field("time").size() == Size{1, 1});
    const ParameterSet set = workload().parameters_for(volcano({40, 30}));
    CHECK(set == ParameterSet(workload().facts().parameters));
    CHECK(set.value("t_sol") == 1073.15);
    CHECK(set.value("kahan") == 1);
    CHECK(set.values("emission_rates").size() == 20);
    CHECK(set.values("vent_cells") == std::vector<double>{1, 1});
}

TEST_CASE("an eruption brings ground, vents and what both models mean alike", "[magflow]") {
    const lava::TestFolder folder;
    lava::write_plain_event(folder);
    CHECK(workload().input_size(folder.path()) == Size{4, 3});
    const State state = workload().initial(lava::event_in(folder));
    CHECK(at<double>(state, "altitude", 0, 1) == 102);
    CHECK(at<double>(state, "altitude", 0, 3) == wall);
    CHECK(state.field("vents").cells<std::uint8_t>()[5] == 1);
    const ParameterSet set = workload().parameters_for(lava::event_in(folder));
    CHECK(set.value("slot_length") == 3600);
    CHECK(set.value("vents") == 1);
    CHECK(set.values("emission_rates") == std::vector<double>{1.5, 2});
    CHECK(set.value("cell_side") == 10);
    // The event's t_sol, 1143 K, was fitted to another model and is not used.
    CHECK(set.value("t_sol") == 1073.15);

    // A vent with two cells.
    lava::write_text(folder / "VENTS.stt", "0 0 0 0\n0 7 7 0\n0 0 0 0\n");
    CHECK(workload().parameters_for(lava::event_in(folder)).values("vent_cells") ==
          std::vector<double>{2});
    CHECK_THAT(sentence_of([&] {
                   workload().initial(lava::event_in(folder, {5, 3}));
               }),
               contains("4x3 cells, the board 5x3") && contains("--size"));
    InitialConditions placed = lava::event_in(folder);
    placed.input_at = {0, 0};
    CHECK_THAT(sentence_of([&] { workload().initial(placed); }), contains("leave out --at"));
}

TEST_CASE("the final state of MAGFLOW keeps the account of lava", "[magflow]") {
    const InitialConditions conditions = volcano({30, 20}, 0.7, ElementType::float64);
    State state = workload().initial(conditions);
    const FinalState start = workload().final_state(state);
    advance(workload(), state, {.parameters = workload().parameters_for(conditions)}, 30);
    const FinalState final = workload().final_state(state);
    CHECK(final.quantity == "mass");
    CHECK(final.amount == final.account.at("liquid") + final.account.at("solid"));
    CHECK(final.account.at("emitted") > 0);
    CHECK(final.account.at("time") > 0);
    CHECK(final.account.at("initial") == start.amount);
    CHECK(final.amount == Approx(start.amount + final.account.at("emitted")).epsilon(1e-12));
    for (const char* field : {"thickness", "solidified", "heat", "temperature"}) {
        State other = state;
        double& cell = other.field(field).cells<double>()[300];
        cell = std::nextafter(cell, std::numeric_limits<double>::infinity());
        CHECK(workload().final_state(other).checksum != final.checksum);
    }
}

TEST_CASE("what MAGFLOW saves is where another run starts", "[magflow]") {
    const lava::SavedRun run(workload(), 40, {"t_sol", 1143});
    CHECK(run.saved.parameters.at("clock") == 120);
    const State again =
        workload().initial({.size = {4, 3}, .cell = ElementType::float64, .input = run.results});
    for (const char* field : {"altitude", "thickness", "solidified"})
        for (int i = 0; i < 12; ++i)
            CHECK(again.field(field).cells<double>()[i] ==
                  Approx(run.state.field(field).cells<double>()[i]).margin(2e-6));
}

TEST_CASE("MAGFLOW runs on Etna in 2001", "[magflow]") {
    const auto folder = real_eruption("etna2001");
    const InitialConditions conditions{
        .size = {382, 819}, .cell = ElementType::float64, .input = folder};
    const ParameterSet set =
        changed(workload().parameters_for(conditions), {{"pulse", 30}, {"pulse_days", 1}});
    State state = workload().initial(conditions);
    advance(workload(), state, {.parameters = set}, 200);
    const FinalState final = workload().final_state(state);
    CHECK(final.amount == Approx(final.account.at("emitted")).epsilon(1e-12));
    CHECK(final.amount > 0);
    CHECK(final.account.at("edge_reached") == 0);
}

}  // namespace camber::magflow::workload_test
