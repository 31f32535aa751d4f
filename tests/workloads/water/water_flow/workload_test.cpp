// Interface of water flow to the harness.
#include <algorithm>
#include <cmath>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/core/real_eruptions.hpp"
#include "tests/workloads/core/rule_sequence.hpp"
#include "tests/workloads/core/temporary_file.hpp"
#include "workloads/core/ascii_grid.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/list/workloads.hpp"
#include "workloads/water/water_flow/reference.hpp"
#include "workloads/water/water_flow/rules.hpp"

namespace camber::water_flow::workload_test {
namespace {

const Workload& workload() {
    return *find_workload("water_flow");
}

State initial(Size size, std::uint64_t seed = 1) {
    return workload().initial({.size = size, .cell = ElementType::float32, .seed = seed});
}

// Difference between levels in float, with the kernels' minimization, and levels in double, with
// the original minimization, in units of 1 + |level|; and the relative error of the water's balance
// with the sources.
struct Distance {
    double levels = 0;
    double mass = 0;
};
Distance distance(const State& start, int generations) {
    const State state = expected_state(workload(), start, ElementType::float32, {}, generations);
    State exact = converted(start, ElementType::float32, ElementType::float64);
    advance(workload(), exact, {}, generations);
    const auto level = state.field("level").cells<float>();
    const auto right = exact.field("level").cells<double>();
    Distance result;
    for (std::size_t i = 0; i < level.size(); ++i) {
        const double difference = std::abs(level[i] - right[i]) / (1 + std::abs(right[i]));
        if (!(difference <= result.levels)) result.levels = difference;  // a NaN is the worst
    }
    const double before = water<float>(start);
    result.mass = std::abs(water<float>(state) -
                           (before + state.account.at("added") - state.account.at("drained"))) /
                  before;
    return result;
}

}  // namespace

TEST_CASE("water flow says what it is", "[water_flow]") {
    CHECK(workload().facts().cell_types == std::vector{ElementType::float32, ElementType::float64});
    CHECK(workload().reference_type(ElementType::float32) == ElementType::float32);
    CHECK(workload().tolerance({.generations = 100}).exact());
    CHECK(workload().facts().boundaries == std::vector{Boundary::dead});
    CHECK_FALSE(workload().facts().usual_size.has_value());
    CHECK(workload().facts().parameters.empty());
    CHECK(workload().facts().moved.bytes(ElementType::float32) == 32);
    CHECK(workload().facts().stored.bytes(ElementType::float32) == 12);
    CHECK(workload().writes("level"));
    CHECK_FALSE(workload().writes("terrain"));
    CHECK_FALSE(workload().writes("sources"));
}

TEST_CASE("runs of water flow start on the random field", "[water_flow]") {
    const State state = initial({64, 64});
    const State expected = random_state<float>({64, 64}, 21);
    for (const HostField& field : expected.fields)
        CHECK(same_bytes(field, state.field(field.name())));
    CHECK(state.account == std::map<std::string, double>{{"added", 0}, {"drained", 0}});
    CHECK_FALSE(same_bytes(initial({64, 64}, 2).field("terrain"), state.field("terrain")));
    CHECK(initial({1, 1}).field("sources").cells<float>()[0] == 0);
}

TEST_CASE("a run of water flow has mass, checksum and account", "[water_flow]") {
    const State start = initial({64, 64});
    for (const int threads : {1, 3}) {
        const State end = expected_state(workload(), start, ElementType::float32,
                                         {Boundary::dead, {}, 0, threads}, 100);
        const FinalState final = workload().final_state(end);
        CHECK(final.quantity == "mass");
        CHECK(final.amount == Approx(2116.000007).epsilon(1e-6));
        // Each gain is the difference of two levels in float.
        CHECK(final.account.at("added") == Approx(50).epsilon(1e-7));
        CHECK(final.account.at("drained") == Approx(3).epsilon(1e-9));
        Checksum checksum;
        for (const std::byte byte : end.field("level").bytes())
            checksum.add(static_cast<std::uint8_t>(byte));
        CHECK(final.checksum == checksum.value());
        State serial = start, next = start;
        for (int t = 0; t < 100; ++t) {
            step<float>(serial, next, 1, Form::network);
            std::swap(serial, next);
        }
        CHECK(same_bytes(serial.field("level"), end.field("level")));
    }
}

TEST_CASE("the rules of water flow reach its levels bit by bit", "[water_flow]") {
    const State start = initial({67, 35});
    State by_steps = start, fused = start;
    add_scratch<float>(by_steps, {"best_levels"});
    for (int t = 0; t < 20; ++t) {
        run_rules<BestLevels<float>, Distribute<float>>(by_steps, {});
        run_rules<WaterFlowStep<float>>(fused, {});
    }
    const State expected = expected_state(workload(), start, ElementType::float32, {}, 20);
    CHECK(same_bytes(by_steps.field("level"), expected.field("level")));
    CHECK(same_bytes(fused.field("level"), expected.field("level")));
}

TEST_CASE("levels in float agree with those in double", "[water_flow]") {
    for (const int generations : {1, 10, 100})
        for (const Size size : {Size{3, 5}, Size{5, 40}, Size{64, 64}, Size{130, 61}}) {
            CAPTURE(generations, size.columns, size.rows);
            const Distance found = distance(initial(size), generations);
            CHECK(found.levels <= 1e-5);
            CHECK(found.mass <= 1e-6);
        }
}

TEST_CASE("water flow takes its terrain from a grid", "[water_flow]") {
    const TemporaryFile file(
        "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 5\nNODATA_value -1\n"
        "-1 7 6 5\n4 3 -1 2\n8 9 10 11\n");
    CHECK(workload().input_size(file.path()) == Size{4, 3});
    State state = workload().initial(
        {.size = {4, 3}, .cell = ElementType::float32, .seed = 5, .input = file.path()});
    const auto terrain = state.field("terrain").cells<float>();
    const auto level = state.field("level").cells<float>();
    const auto sources = state.field("sources").cells<float>();
    CHECK(std::vector(terrain.begin(), terrain.end()) ==
          std::vector<float>{1e30f, 7, 6, 5, 4, 3, 1e30f, 2, 8, 9, 10, 11});
    const State random = random_state<float>({4, 3}, 25);
    int wet = 0;
    for (std::size_t i = 0; i < 12; ++i) {
        CAPTURE(i);
        if (terrain[i] == 1e30f) {
            CHECK(level[i] == terrain[i]);
            continue;
        }
        const bool water_there =
            random.field("level").cells<float>()[i] != random.field("terrain").cells<float>()[i];
        CHECK(level[i] == terrain[i] + (water_there ? 1 : 0));
        wet += water_there;
    }
    CHECK(wet > 0);
    CHECK(sources[1] == 0.5f);
    CHECK(sources[7] == -0.5f);
    CHECK(std::ranges::count(sources, 0.f) == 10);

    const TemporaryFile saved;
    advance(workload(), state, {}, 4);
    workload().save(state, saved.path(), {});
    const AsciiGrid grid = read_ascii_grid_file(saved.path());
    double sum = 0;
    for (std::size_t i = 0; i < 12; ++i) {
        CHECK(grid.has_data(i) == (terrain[i] < 1e30f));
        if (grid.has_data(i)) sum += grid.values[i];
    }
    CHECK(sum == Approx(workload().final_state(state).amount));
    CHECK(sum == Approx(wet + state.account.at("added") - state.account.at("drained")));
    CHECK_THROWS_WITH(
        workload().initial({.size = {4, 4}, .cell = ElementType::float32, .input = file.path()}),
        contains("4x3 cells, the board 4x4"));

    const TemporaryFile empty(
        "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 5\nNODATA_value -1\n-1 -1\n");
    State nothing =
        workload().initial({.size = {2, 1}, .cell = ElementType::float32, .input = empty.path()});
    advance(workload(), nothing, {}, 2);
    CHECK(workload().final_state(nothing).amount == 0);
}

TEST_CASE("water finds its level on Etna", "[water_flow]") {
    const auto file = etna_2006("Morphology");
    const State start =
        workload().initial({.size = {517, 378}, .cell = ElementType::float32, .input = file});
    // Holds for few steps only: at 3000 m, a level in float has a resolution of a quarter of a
    // millimeter, which affects the water's path.
    CHECK(distance(start, 10).levels <= 1e-5);
    CHECK(workload().final_state(start).amount == Approx(98023).epsilon(1e-4));
    State exact = converted(start, ElementType::float32, ElementType::float64);
    advance(workload(), exact, {}, 20);
    const FinalState final = workload().final_state(exact);
    CHECK(final.amount == Approx(workload().final_state(start).amount + final.account.at("added") -
                                 final.account.at("drained"))
                              .epsilon(1e-9));
}

}  // namespace camber::water_flow::workload_test
