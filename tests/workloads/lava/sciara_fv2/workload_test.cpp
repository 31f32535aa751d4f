// Interface of SCIARA-fv2 to the harness.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/sentence.hpp"
#include "tests/workloads/core/real_eruptions.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "tests/workloads/lava/saved_run.hpp"
#include "tests/workloads/lava/sciara_fv2/cases.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/lava/event.hpp"
#include "workloads/lava/start.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::sciara_fv2::workload_test {
namespace {

const Workload& workload() {
    return *find_workload("sciara_fv2");
}

InitialConditions volcano(Size size, double density = 0.5) {
    return {.size = size, .cell = ElementType::float64, .seed = 3, .density = density};
}

}  // namespace

TEST_CASE("lava says what it is", "[sciara_fv2]") {
    CHECK(workload().facts().cell_types == std::vector{ElementType::float64});
    CHECK(workload().reference_type(ElementType::float64) == ElementType::float64);
    CHECK(workload().facts().boundaries == std::vector{Boundary::dead});
    CHECK(workload().facts().usual_size == Size{517, 378});
    CHECK(workload().tolerance({.generations = 1000}).exact());
    const Tolerance device = workload().tolerance(
        {.cell = ElementType::float64, .generations = 1000, .on_device = true});
    CHECK(device.of("thickness").absolute == 1e-9);
    CHECK(device.of("solidified").absolute == 1e-9);
    CHECK(device.of("temperature").absolute == 1e-6);
    CHECK(device.of("temperature").relative == 0);
    const Tolerance reordered = workload().tolerance(
        {.cell = ElementType::float64, .generations = 1000, .reordered = true});
    CHECK(reordered.of("thickness").absolute == 1e-9);
    CHECK(reordered.of("temperature").absolute == 1e-6);
    CHECK(reordered.relative == 0);
    CHECK(reordered.outliers == 0);
    for (const char* field : {"altitude", "thickness", "temperature", "solidified"})
        CHECK(workload().writes(field));
    for (const char* field : {"frame", "vents"}) CHECK_FALSE(workload().writes(field));
    // Four doubles and two bytes.
    CHECK(workload().facts().stored.bytes(ElementType::float64) == 34);
    // Vents; outflows: 3 + 8 doubles and the frame; exchange: 10 + 2; cooling: 4 + 4.
    CHECK(workload().facts().moved.bytes(ElementType::float64) ==
          1 + (11 * 8 + 1) + (12 * 8 + 1) + (8 * 8 + 1));
}

TEST_CASE("without files lava starts on the volcano", "[sciara_fv2]") {
    const State state = workload().initial(volcano({40, 30}));
    const lava::Event made = lava::volcano({40, 30}, 3, 0.5);
    const auto same = [&](const char* field, const std::vector<double>& values) {
        CHECK(std::ranges::equal(state.field(field).cells<double>(), values));
    };
    same("altitude", made.altitude);
    same("thickness", made.thickness);
    same("temperature", made.temperature);
    same("solidified", std::vector<double>(1200));
    const auto frame = state.field("frame").cells<std::uint8_t>();
    CHECK(std::ranges::count(frame, 1) == 2 * 40 + 2 * 28);
    const auto vents = state.field("vents").cells<std::uint8_t>();
    CHECK(vents[15 * 40 + 20] == 1);
    CHECK(vents[18 * 40 + 26] == 2);
    CHECK(std::ranges::count(vents, 0) == 1198);
    CHECK(state.account.at("initial") == tree_sum(made.thickness));
    CHECK(workload().parameters_for(volcano({40, 30})) ==
          ParameterSet(workload().facts().parameters));
    const ParameterSet set(workload().facts().parameters);
    CHECK(set.value("clock") == 120);
    CHECK(set.value("vents") == 2);
    CHECK(set.values("emission_rates").size() == 20);
    CHECK(set.value("reference_stop") == 0);
}

TEST_CASE("an eruption brings its own ground, vents, lava and parameters", "[sciara_fv2]") {
    const lava::TestFolder folder;
    lava::write_plain_event(folder);
    CHECK(workload().input_size(folder.path()) == Size{4, 3});
    const State state = workload().initial(lava::event_in(folder));
    CHECK(at(state, "altitude", 0, 1) == 102);
    CHECK(state.field("vents").cells<std::uint8_t>()[5] == 1);
    const ParameterSet set = workload().parameters_for(lava::event_in(folder));
    CHECK(set.value("clock") == 60);
    CHECK(set.value("cooling") == 9.4);
    CHECK(set.value("r_sol") == 0.065);
    CHECK(set.value("slot_length") == 3600);
    CHECK(set.value("vents") == 1);
    CHECK(set.values("emission_rates") == std::vector<double>{1.5, 2});

    CHECK_THAT(sentence_of([&] {
                   workload().initial(lava::event_in(folder, {5, 3}));
               }),
               contains("4x3 cells, the board 5x3") && contains("--size"));
    InitialConditions placed = lava::event_in(folder);
    placed.input_at = {0, 0};
    CHECK_THAT(sentence_of([&] { workload().initial(placed); }), contains("leave out --at"));
}

TEST_CASE("lava on the frame at the start counts as none", "[sciara_fv2]") {
    const lava::TestFolder folder;
    lava::write_numbered_event(folder);
    lava::write_text(folder / "test_000000000000_Thickness.stt",
                     lava::raster_header + "9 9 9 9 9 1 2 9 9 9 9 9");
    lava::write_text(folder / "test_000000000000_Temperature.stt",
                     lava::raster_header + "1300 0 0 0 0 1200 1300 0 0 0 0 0");
    const State state = workload().initial(lava::event_in(folder));
    CHECK(tree_sum(state.field("thickness").cells<double>()) == 3);
    CHECK(at(state, "temperature", 0, 0) == 0);
    CHECK(at(state, "temperature", 1, 1) == 1200);
    CHECK(state.account.at("initial") == 3);
}

TEST_CASE("the final state keeps the account of lava", "[sciara_fv2]") {
    const InitialConditions conditions = volcano({30, 20}, 0.7);
    State state = workload().initial(conditions);
    advance(workload(), state, {.parameters = workload().parameters_for(conditions)}, 30);
    const FinalState final = workload().final_state(state);
    CHECK(final.quantity == "mass");
    CHECK(final.amount == final.account.at("liquid") + final.account.at("solid"));
    CHECK(final.account.at("emitted") > 0);
    CHECK(final.account.at("lost") > 0);
    CHECK(final.amount + final.account.at("lost") ==
          Approx(final.account.at("initial") + final.account.at("emitted")).epsilon(1e-12));
    // Every cell of the four fields counts.
    for (const char* field : {"altitude", "thickness", "temperature", "solidified"}) {
        State other = state;
        double& cell = other.field(field).cells<double>()[300];
        cell = std::nextafter(cell, std::numeric_limits<double>::infinity());
        CHECK(workload().final_state(other).checksum != final.checksum);
    }
}

TEST_CASE("a run of lava may end by itself", "[sciara_fv2]") {
    const ParameterSet set(workload().facts().parameters);
    CHECK_FALSE(workload().capabilities().self_ending->ends_itself(set));
    const ParameterSet ruled = changed(set, {{"reference_stop", 1},
                                             {"slot_length", 120},
                                             {"max_steps", 25},
                                             {"reduce_interval", 10},
                                             {"threshold", 1e9}});
    CHECK(workload().capabilities().self_ending->ends_itself(ruled));
    CHECK(workload().capabilities().self_ending->own_generations(
              workload().initial(volcano({20, 20})), {.parameters = ruled}) == 25);
}

TEST_CASE("what lava saves is where another run starts", "[sciara_fv2]") {
    const lava::SavedRun run(workload(), 7, {"cooling", 3.5});
    CHECK(std::filesystem::exists(run.results / "test_000000000007_Temperature.asc"));
    const auto thickness = run.state.field("thickness").cells<double>();
    for (std::size_t i = 0; i < thickness.size(); ++i)
        CHECK(run.saved.thickness[i] == Approx(thickness[i]).margin(5.1e-7));

    lava::write_text(run.folder / "file", "");
    CHECK_THROWS_WITH(workload().check_save_path(run.folder / "file"), contains("is no folder"));
}

// Takes half a minute: `camber-tests "[etna_whole]"`.
TEST_CASE("Etna in 2006 to the end: the published checksum", "[.][etna_whole]") {
    const auto folder = real_eruption("etna2006");
    const InitialConditions conditions{
        .size = {517, 378}, .cell = ElementType::float64, .input = folder};
    const ParameterSet set =
        changed(workload().parameters_for(conditions), {{"reference_stop", 1}});
    State state = workload().initial(conditions);
    const GenerationContext context{.parameters = set};
    // The stop rule decides, whether 1000 or 16000 steps are requested.
    for (const double most : {1000.0, 16000.0})
        CHECK(workload().capabilities().self_ending->own_generations(
                  state, {.parameters = changed(set, {{"max_steps", most}})}) == 16000);
    advance(workload(), state, context, 16000);
    const FinalState final = workload().final_state(state);
    CHECK(final.amount == Approx(final.account.at("emitted")).epsilon(1e-12));
    CHECK(final.account.at("lost") == 0);
    const lava::TestFolder results;
    workload().save(state, results.path(), {conditions, set, 16000, ""});
    // Published checksum from the makefiles of the public programs, for the temperatures after
    // 16000 steps; valid for one math library, glibc's.
    const auto raster = results / "2006_000000016000_Temperature.asc";
    const std::string command =
        "md5sum '" + raster.string() + "' | cut -c1-32 > '" + (results / "sum").string() + "'";
    REQUIRE(std::system(command.c_str()) == 0);
    CHECK(lava::text_of(results / "sum") == "0c071cd864046d3c6aaf30997290ad6c\n");
}

}  // namespace camber::sciara_fv2::workload_test
