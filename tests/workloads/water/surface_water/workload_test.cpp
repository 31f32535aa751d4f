// Interface of surface water to the harness.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/sentence.hpp"
#include "tests/workloads/core/real_eruptions.hpp"
#include "tests/workloads/core/temporary_file.hpp"
#include "tests/workloads/water/surface_water/maps.hpp"
#include "workloads/core/ascii_grid.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::surface_water::workload_test {
namespace {

const Workload& workload() {
    return *find_workload("surface_water");
}

State initial(Size size) {
    return workload().initial({.size = size, .cell = ElementType::float32});
}

// A map of 4 x 4 cells, one of them without data.
const std::string small_grid =
    "ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 5\nNODATA_value -1\n"
    "1 2 3 4\n5 6 -1 8\n9 10 11 12\n13 14 15 16\n";

State initial(const TemporaryFile& file, Size size, std::uint64_t seed = 1) {
    return workload().initial(
        {.size = size, .cell = ElementType::float32, .seed = seed, .input = file.path()});
}

}  // namespace

TEST_CASE("surface water says what it is", "[surface_water]") {
    CHECK(workload().facts().cell_types == std::vector{ElementType::float32, ElementType::float64});
    CHECK(workload().reference_type(ElementType::float32) == ElementType::float64);
    CHECK(workload().facts().boundaries == std::vector{Boundary::dead});
    CHECK(workload().facts().usual_size == Size{463, 358});
    CHECK(workload().facts().moved.bytes(ElementType::float32) == 32);
    CHECK(workload().facts().stored.bytes(ElementType::float32) == 12);
    CHECK(workload().writes("depth"));
    CHECK_FALSE(workload().writes("terrain"));
    CHECK_FALSE(workload().writes("infiltration"));
    const ParameterSet set(workload().facts().parameters);
    CHECK(set.value("dx") == 10);
    CHECK(set.value("dt") == 1);
    CHECK(set.value_f("manning") == 0.05f);
    CHECK(set.value_f("rain") == 25e-3f / 3600.f);
    CHECK(set.value("rain_steps") == 250);
}

TEST_CASE("runs of surface water start dry, in a valley", "[surface_water]") {
    const State state = initial({64, 64});
    const State expected = valley<float>({64, 64}, 1);
    for (const HostField& field : expected.fields)
        CHECK(std::ranges::equal(field.bytes(), state.field(field.name()).bytes()));
    CHECK(std::ranges::count(state.field("depth").cells<float>(), 0.f) == 64 * 64);
    const auto infiltration = interior<float>(state, "infiltration");
    CHECK(std::ranges::count(infiltration, 5e-3f / 3600.f) +
              std::ranges::count(infiltration, 2e-3f / 3600.f) ==
          62 * 62);
    CHECK(state.account == std::map<std::string, double>{{rained_account, 0},
                                                         {infiltrated_account, 0},
                                                         {lost_account, 0},
                                                         {gained_account, 0},
                                                         {courant_account, 0}});
    CHECK(std::ranges::equal(
        workload()
            .initial({.size = {64, 64}, .cell = ElementType::float32, .density = 0})
            .field("terrain")
            .bytes(),
        state.field("terrain").bytes()));
    // Boards that consist of the ring only.
    for (const Size size : {Size{1, 1}, Size{2, 9}, Size{9, 2}}) {
        State ring = initial(size);
        advance(workload(), ring, {.parameters = ParameterSet(workload().facts().parameters)}, 3);
        CHECK(workload().final_state(ring).amount == 0);
    }
}

TEST_CASE("surface water takes its terrain from a grid", "[surface_water]") {
    const TemporaryFile file(small_grid);
    CHECK(workload().input_size(file.path()) == Size{4, 4});
    const State state = initial(file, {4, 4}, 3);
    const auto terrain = interior<float>(state, "terrain");
    CHECK(terrain == std::vector<float>{6, 1e30f, 10, 11});
    CHECK(std::ranges::count(state.field("terrain").cells<float>(), 1e30f) == 13);
    CHECK(interior<float>(state, "infiltration")[1] == 1e30f);
    const State valley_state = valley<float>({4, 4}, 3);
    CHECK(interior<float>(state, "infiltration")[3] ==
          interior<float>(valley_state, "infiltration")[3]);

    CHECK_THAT(sentence_of([&] {
                   initial(file, {5, 4});
               }),
               contains("4x4 cells, the board 5x4") && contains("--size"));
    CHECK_THAT(sentence_of([&] {
                   workload().initial({.size = {4, 4},
                                       .cell = ElementType::float32,
                                       .input = file.path(),
                                       .input_at = std::pair(0, 0)});
               }),
               contains("leave out --at"));
    const TemporaryFile high("ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 5\n-3.4e38\n");
    CHECK_THROWS_WITH(initial(high, {1, 1}), contains("-3.4e+38") && contains("NODATA_value"));
}

TEST_CASE("parameters of surface water must make sense", "[surface_water]") {
    const auto refused = [](const char* name, double value) {
        ParameterSet set(workload().facts().parameters);
        set.set(name, {value});
        State state = initial({8, 8});
        CHECK_THROWS_WITH(advance(workload(), state, {.parameters = set}, 1),
                          contains(std::string("parameter ") + name) && contains("impossible"));
    };
    for (const char* name : {"dx", "dt", "manning"})
        for (const double value : {0., -1., 1e60}) refused(name, value);
    refused("rain", -1e-9);
    refused("rain_steps", 2.5);
    refused("rain_steps", -1);
    refused("rain_steps", 1e10);
}

TEST_CASE("a final state of surface water has mass, checksum and account", "[surface_water]") {
    State state = initial({64, 64});
    const ParameterSet set(workload().facts().parameters);
    const State expected = expected_state(workload(), state, ElementType::float32,
                                          {.parameters = set, .threads = 2}, 100);
    const FinalState final = workload().final_state(expected);
    CHECK(final.quantity == "mass");
    CHECK(final.amount == Approx(2.29497224556).epsilon(1e-6));
    CHECK(final.account.at(rained_account) - final.account.at(infiltrated_account) ==
          Approx(2.29497224556).epsilon(1e-11));
    Checksum checksum;
    for (const std::byte byte : expected.field("depth").bytes())
        checksum.add(static_cast<std::uint8_t>(byte));
    CHECK(final.checksum == checksum.value());
    // Inert cells do not count, whatever they contain.
    State changed = expected;
    changed.field("depth").cells<float>()[0] = 1;
    CHECK(workload().final_state(changed).amount == final.amount);
    CHECK(workload().final_state(changed).checksum != final.checksum);
}

TEST_CASE("depths in float keep within their tolerance of those in double", "[surface_water]") {
    const ParameterSet set(workload().facts().parameters);
    GenerationContext context{.parameters = set}, exact_context{.parameters = set};
    State state = valley<float>({96, 80}, 5);
    State exact = valley<double>({96, 80}, 5);
    for (const int t : {1, 3, 10, 40, 100, 170, 250, 400, 500, 700}) {
        while (context.number < t) {
            step<float>(state, context);
            step<double>(exact, exact_context);
        }
        CAPTURE(t);
        const Tolerance tolerance = workload().tolerance({ElementType::float32, t});
        const double difference = largest_difference<float, double>(state, exact);
        CHECK(difference <= tolerance.absolute);
        CHECK(difference > 0);
        CHECK(std::abs(water<float>(state) - water<double>(exact)) <=
              tolerance.total * water<double>(exact));
    }
}

TEST_CASE("the tolerance of depths goes through its points", "[surface_water]") {
    const auto at = [](int generations) {
        return workload().tolerance({ElementType::float32, generations}).absolute;
    };
    const std::pair<int, double> points[] = {{0, 6.2e-13},  {1, 6.2e-13},  {10, 2.5e-11},
                                             {100, 1.5e-9}, {250, 1.2e-8}, {500, 2.5e-7}};
    for (const auto& [t, difference] : points) CHECK(at(t) == Approx(20 * difference));
    CHECK(at(5000) / at(2500) == Approx(at(500) / at(250)));
    CHECK(at(1000) == Approx(20 * 2.5e-7 * 2.5e-7 / 1.2e-8));
    CHECK(at(32) == Approx(20 * 2.5e-11 * std::pow(60, std::log10(3.2))));
    for (int t = 1; t < 1000; ++t) REQUIRE(at(t + 1) > at(t));
    CHECK(workload().tolerance({ElementType::float32, 1}).relative == 0);
    CHECK(workload().tolerance({ElementType::float32, 1}).total == 1e-4);
}

TEST_CASE("depths are saved as a grid", "[surface_water]") {
    const TemporaryFile terrain(small_grid);
    State state = initial(terrain, {4, 4});
    advance(workload(), state, {.parameters = ParameterSet(workload().facts().parameters)}, 5);
    const TemporaryFile file;
    const ParameterSet parameters(workload().facts().parameters);
    workload().save(state, file.path(), {.parameters = parameters, .comment = "a comment"});
    const AsciiGrid grid = read_ascii_grid_file(file.path());
    CHECK(grid.header.size == Size{4, 4});
    const auto depth = state.field("depth").cells<float>();
    for (const std::size_t i : {5u, 9u, 10u}) {
        CHECK(static_cast<float>(grid.values[i]) == depth[i]);
        CHECK(depth[i] > 0);
    }
    int without = 0;
    for (std::size_t i = 0; i < 16; ++i) without += !grid.has_data(i);
    CHECK(without == 13);
    CHECK_THROWS_AS(workload().save(state, "/no/such/folder/depth.asc", {}), Error);
}

TEST_CASE("rain runs off Etna", "[surface_water]") {
    const auto file = etna_2006("Morphology");
    const State start =
        workload().initial({.size = {517, 378}, .cell = ElementType::float32, .input = file});
    const auto terrain = start.field("terrain").cells<float>();
    CHECK(terrain[518] == static_cast<float>(read_ascii_grid_file(file).values[518]));
    const GenerationContext context{.parameters = ParameterSet(workload().facts().parameters)};
    State state = start;
    advance(workload(), state, context, 50);
    const State exact = expected_state(workload(), start, ElementType::float32, context, 50);
    const double kept = exact.account.at(rained_account) - exact.account.at(infiltrated_account);
    CHECK(kept > 10);
    CHECK(workload().final_state(exact).amount == Approx(kept).epsilon(1e-6));
    CHECK(largest_difference<float, float>(state, exact) <=
          workload().tolerance({ElementType::float32, 50}).absolute);
}

}  // namespace camber::surface_water::workload_test
