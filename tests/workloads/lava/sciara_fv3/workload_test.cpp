// Interface of SCIARA-fv3 to the harness.
#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/sentence.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "tests/workloads/lava/saved_run.hpp"
#include "tests/workloads/lava/sciara_fv3/cases.hpp"
#include "workloads/lava/event.hpp"
#include "workloads/lava/start.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::sciara_fv3::workload_test {
namespace {

const Workload& workload() {
    return *find_workload("sciara_fv3");
}

InitialConditions volcano(Size size, double density = 0.5,
                          ElementType cell = ElementType::float64) {
    return {.size = size, .cell = cell, .seed = 3, .density = density};
}

}  // namespace

TEST_CASE("lava with momentum says what it is", "[sciara_fv3]") {
    CHECK(workload().facts().cell_types == std::vector{ElementType::float64, ElementType::float32});
    CHECK(workload().reference_type(ElementType::float32) == ElementType::float32);
    CHECK(workload().facts().boundaries == std::vector{Boundary::dead});
    CHECK(workload().facts().usual_size == Size{517, 378});
    CHECK(workload().tolerance({.generations = 1000}).exact());
    const Tolerance real64 =
        workload().tolerance({.cell = ElementType::float64, .generations = 200, .on_device = true});
    CHECK(real64.of("thickness").absolute == 1e-9);
    CHECK(real64.of("momentum_x").absolute == 1e-9);
    CHECK(real64.of("temperature").absolute == 1e-6);
    CHECK(real64.relative == 0);
    CHECK(real64.outliers == 0);
    const Tolerance real32 =
        workload().tolerance({.cell = ElementType::float32, .generations = 20, .on_device = true});
    CHECK(real32.of("thickness").absolute == 5e-4);
    CHECK(real32.of("thickness").outliers == 1e-3);
    CHECK(real32.relative == 0);
    const Tolerance scattered64 =
        workload().tolerance({.cell = ElementType::float64, .generations = 200, .reordered = true});
    CHECK(scattered64.of("thickness").absolute == 1e-9);
    CHECK(scattered64.of("temperature").absolute == 1e-6);
    CHECK(scattered64.relative == 0);
    CHECK(scattered64.outliers == 0);
    const Tolerance scattered32 =
        workload().tolerance({.cell = ElementType::float32, .generations = 100, .reordered = true});
    CHECK(scattered32.of("thickness").absolute == 5e-4);
    CHECK(scattered32.of("thickness").outliers == 1e-3);
    for (const char* field : {"altitude", "thickness", "temperature", "momentum_x", "momentum_y",
                              "solidified", "clock"})
        CHECK(workload().writes(field));
    CHECK_FALSE(workload().writes("vents"));
    // Six doubles and one byte.
    CHECK(workload().facts().stored.bytes(ElementType::float64) == 49);
    CHECK(workload().facts().stored.bytes(ElementType::float32) == 25);
    // Vents; candidates 5 + 1, their minimum 1, outflow 5 + 16, exchange 20 + 4, cooling 6 + 6.
    CHECK(workload().facts().moved.bytes(ElementType::float32) == 1 + 4 * 64);
}

TEST_CASE("without files lava with momentum starts on the volcano", "[sciara_fv3]") {
    for (const ElementType cell : {ElementType::float64, ElementType::float32}) {
        const State state = workload().initial(volcano({40, 30}, 0.5, cell));
        const lava::Event made = lava::volcano({40, 30}, 3, 0.5);
        const auto same = [&](const char* field, const std::vector<double>& values) {
            CAPTURE(field);
            CHECK(state.field(field).element() == cell);
            const auto found = values_of(state.field(field));
            const bool real = cell == ElementType::float32;
            CHECK(std::ranges::equal(found, values, [&](double a, double b) {
                return a == (real ? static_cast<double>(static_cast<float>(b)) : b);
            }));
        };
        same("altitude", made.altitude);
        same("thickness", made.thickness);
        same("temperature", made.temperature);
        for (const char* field : {"momentum_x", "momentum_y", "solidified"})
            same(field, std::vector<double>(1200));
        const auto vents = state.field("vents").cells<std::uint8_t>();
        CHECK(vents[15 * 40 + 20] == 1);
        CHECK(vents[18 * 40 + 26] == 2);
        CHECK(std::ranges::count(vents, 0) == 1198);
        CHECK(std::ranges::equal(state.field("clock").cells<double>(), std::vector<double>{0, 0}));
        CHECK(state.account.at("initial") == total(state.field("thickness")));
    }
    const ParameterSet set(workload().facts().parameters);
    CHECK(set.value("clock_start") == 1);
    CHECK(set.value("clock_longest") == 120);
    CHECK(set.value("clock_relaxation") == 0.5);
    CHECK(set.value("cooling") == 1.507);
    CHECK(set.value("vents") == 2);
}

TEST_CASE("of an eruption's parameters those that hold for both models are taken", "[sciara_fv3]") {
    const lava::TestFolder folder;
    lava::write_plain_event(folder);
    CHECK(workload().input_size(folder.path()) == Size{4, 3});
    const State state = workload().initial(lava::event_in(folder));
    const auto altitude = values_of(state.field("altitude"));
    CHECK(altitude[1] == 102);
    CHECK(altitude[3] == -9999);
    CHECK(state.field("vents").cells<std::uint8_t>()[5] == 1);
    const ParameterSet set = workload().parameters_for(lava::event_in(folder));
    CHECK(set.value("cell_side") == 10);
    CHECK(set.value("t_vent") == 1360);
    CHECK(set.value("cooling") == 1.507);
    CHECK(set.value("hc_vent") == 1.014);
    CHECK(set.value("slot_length") == 3600);
    CHECK(set.values("emission_rates") == std::vector<double>{1.5, 2});
    CHECK_THAT(sentence_of([&] {
                   workload().initial(lava::event_in(folder, {5, 3}));
               }),
               contains("4x3 cells, the board 5x3") && contains("--size"));
    lava::write_text(folder / "VENTS.stt", "0 0 0 7\n0 0 0 0\n0 0 0 0\n");
    CHECK_THROWS_WITH(workload().initial(lava::event_in(folder)),
                      contains("vent 7 in row 0, column 3") && contains("move it"));
}

TEST_CASE("lava where no ground is known counts as none", "[sciara_fv3]") {
    const lava::TestFolder folder;
    lava::write_numbered_event(folder);
    const std::string stem = (folder / "test_000000000000").string();
    lava::write_text(stem + "_Morphology.stt",
                     lava::raster_header + "-9999 102 103 104 105 106 107 108 109 110 111 112");
    lava::write_text(stem + "_Thickness.stt", lava::raster_header + "9 0 0 0 0 1 2 0 0 0 0 0");
    lava::write_text(stem + "_Temperature.stt",
                     lava::raster_header + "1300 0 0 0 0 1200 1300 0 0 0 0 0");
    const State state = workload().initial(lava::event_in(folder));
    CHECK(total(state.field("thickness")) == 3);
    CHECK(values_of(state.field("temperature"))[0] == 0);
    CHECK(values_of(state.field("temperature"))[5] == 1200);
    CHECK(state.account.at("initial") == 3);
}

TEST_CASE("the final state keeps the account of lava with momentum", "[sciara_fv3]") {
    for (const ElementType cell : {ElementType::float64, ElementType::float32}) {
        const InitialConditions conditions = volcano({30, 20}, 0.7, cell);
        State state = workload().initial(conditions);
        advance(workload(), state, {.parameters = workload().parameters_for(conditions)}, 30);
        const FinalState final = workload().final_state(state);
        CHECK(final.quantity == "mass");
        CHECK(final.amount == final.account.at("liquid") + final.account.at("solid"));
        CHECK(final.account.at("emitted") > 0);
        CHECK(final.account.at("time") == state.field("clock").cells<double>()[1]);
        CHECK(final.account.at("edge") > 0);
        CHECK(final.amount == Approx(final.account.at("initial") + final.account.at("emitted"))
                                  .epsilon(cell == ElementType::float64 ? 1e-12 : 1e-5));
        REQUIRE(workload().facts().account.size() == 1);
        CHECK(workload().facts().account[0].name == "emitted");
        CHECK(workload().facts().account[0].sign == 1);
        // Every cell of the fields that change counts.
        for (const char* field : {"altitude", "thickness", "temperature", "momentum_x",
                                  "momentum_y", "solidified", "clock"}) {
            State other = state;
            other.field(field).bytes()[0] ^= std::byte{1};
            CHECK(workload().final_state(other).checksum != final.checksum);
        }
    }
}

TEST_CASE("what lava with momentum saves is where another run starts", "[sciara_fv3]") {
    const lava::SavedRun run(workload(), 7, {"density", 2500});
    CHECK(std::filesystem::exists(run.results / "test_000000000007_Temperature.asc"));
    CHECK(run.saved.parameters.at("cooling") == 2.8);
    const auto thickness = values_of(run.state.field("thickness"));
    for (std::size_t i = 0; i < thickness.size(); ++i)
        CHECK(run.saved.thickness[i] == Approx(thickness[i]).margin(5.1e-7));
}

}  // namespace camber::sciara_fv3::workload_test
