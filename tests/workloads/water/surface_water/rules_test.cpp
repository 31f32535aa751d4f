// Rules of surface water: each sequence of rules compared with the reference, and invariants.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/workloads/core/rule_sequence.hpp"
#include "tests/workloads/water/surface_water/maps.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/water/surface_water/rules.hpp"

namespace camber::surface_water::rules_test {

namespace {

// Hills and puddles up to the edge of the board, a tenth of the cells inert.
template <class T>
State wilderness(Size size, std::uint64_t seed) {
    State state = inert_state<T>(size);
    const auto terrain = state.field("terrain").cells<T>();
    for (std::size_t i = 0; i < terrain.size(); ++i) {
        if (mix(seed, i) % 10 == 0) continue;
        terrain[i] = static_cast<T>(1500 + 3 * uniform(seed + 1, i));
        state.field("depth").cells<T>()[i] =
            static_cast<T>(mix(seed + 2, i) % 3 == 0 ? 0 : uniform(seed + 3, i));
        state.field("infiltration").cells<T>()[i] = static_cast<T>(0.1 * uniform(seed + 4, i));
    }
    return state;
}

// Compares, generation by generation, every sequence of rules from the same state.
template <class T>
void compare_with_reference(State state, int generations) {
    GenerationContext context{.parameters = with_rain(1e-3, 3)};
    for (; context.number < generations; ++context.number) {
        State expected = state;
        generation<T>(state, expected, context);
        State separate = state, in_two = state, in_one = state;
        add_scratch<T>(in_two, {"discharge", "outflow_per_drop"});
        run_rules<Rain<T>, Infiltration<T>, Flow<T>>(separate, context);
        run_rules<Rain<T>, Infiltration<T>, Outflow<T>, Gather<T>>(in_two, context);
        run_rules<SurfaceWaterStep<T>>(in_one, context);
        CAPTURE(context.number, state.fields[0].size().columns, state.fields[0].size().rows);
        for (const State* result : {&separate, &in_two, &in_one})
            REQUIRE(same_bytes(result->field("depth"), expected.field("depth")));
        state = std::move(expected);
    }
}

// Mirrored or rotated state: cell (row, column) is a copy of cell place(row, column).
template <class Place>
State rearranged(const State& state, Size size, const Place& place) {
    State result = inert_state<double>(size);
    for (HostField& field : result.fields) {
        const HostField& from = state.field(field.name());
        for (int row = 0; row < size.rows; ++row)
            for (int column = 0; column < size.columns; ++column) {
                const auto [r, c] = place(row, column);
                field.cells<double>()[static_cast<std::size_t>(row) * size.columns + column] =
                    from.cells<double>()[static_cast<std::size_t>(r) * from.size().columns + c];
            }
    }
    return result;
}

State after(State state, int generations) {
    GenerationContext context{.parameters = with_rain(1e-4)};
    while (context.number < generations) step<double>(state, context);
    return state;
}

}  // namespace

TEST_CASE("every sequence of rules gives the reference's bits", "[surface_water]") {
    for (const Size size : {Size{37, 29}, Size{5, 4}, Size{2, 7}, Size{1, 1}, Size{64, 3}}) {
        compare_with_reference<float>(wilderness<float>(size, 41), 6);
        compare_with_reference<double>(wilderness<double>(size, 51), 6);
    }
    compare_with_reference<float>(valley<float>({70, 50}), 40);
    compare_with_reference<double>(valley<double>({70, 50}), 40);
}

TEST_CASE("rain has a first and a last step", "[surface_water]") {
    const auto rain = Rain<float>::parameters(with_rain(0.5, 3));
    const auto at = [&](int number) { return later<Rain<float>>(rain, number).now(); };
    CHECK(at(0) == 0.5f);
    CHECK(at(2) == 0.5f);
    CHECK(at(3) == 0);
    CHECK(at(1000) == 0);
    const auto step = SurfaceWaterStep<float>::parameters(with_rain(0.5, 3));
    CHECK(later<SurfaceWaterStep<float>>(step, 2).rain.now() == 0.5f);
    CHECK(later<SurfaceWaterStep<float>>(step, 3).rain.now() == 0);
}

TEST_CASE("neither threads nor their number change a bit", "[surface_water]") {
    const State start = wilderness<float>({61, 47}, 61);
    State serial = start, threaded = start;
    generation<float>(start, serial, {.parameters = with_rain(1e-3), .threads = 1});
    generation<float>(start, threaded, {.parameters = with_rain(1e-3), .threads = 3});
    CHECK(same_bytes(serial.field("depth"), threaded.field("depth")));
    CHECK(serial.account == threaded.account);
}

TEST_CASE("water is neither made nor lost, and never less than none", "[surface_water]") {
    State state = wilderness<double>({53, 41}, 71);
    const double start = water<double>(state);
    GenerationContext context{.parameters = with_rain(1e-3, 20)};
    for (int t = 0; t < 100; ++t) {
        step<double>(state, context);
        REQUIRE(water<double>(state) == Approx(start + state.account.at(rained_account) -
                                               state.account.at(infiltrated_account))
                                            .epsilon(1e-12));
        REQUIRE(std::ranges::min(state.field("depth").cells<double>()) >= 0);
    }
    CHECK(state.account.at(rained_account) > 0);
    CHECK(state.account.at(infiltrated_account) > 0);
}

TEST_CASE("inert cells stay dry", "[surface_water]") {
    State state = wilderness<float>({40, 30}, 81);
    GenerationContext context{.parameters = with_rain(1e-3)};
    for (int t = 0; t < 10; ++t) {
        run_rules<Rain<float>, Infiltration<float>, Flow<float>>(state, context);
        const auto terrain = state.field("terrain").cells<float>();
        const auto depth = state.field("depth").cells<float>();
        int inert = 0;
        for (std::size_t i = 0; i < terrain.size(); ++i) {
            if (!is_inert(terrain[i])) continue;
            ++inert;
            REQUIRE(depth[i] == 0);
        }
        CHECK(inert > 80);
    }
}

TEST_CASE("a level surface stays as it is", "[surface_water]") {
    State state = inert_state<float>({30, 20});
    const auto terrain = state.field("terrain").cells<float>();
    for (std::size_t i = 0; i < terrain.size(); ++i) {
        const int depth = static_cast<int>(mix(91, i) % 1024);
        terrain[i] = static_cast<float>(2048 - depth) / 1024;
        state.field("depth").cells<float>()[i] = static_cast<float>(depth) / 1024;
        state.field("infiltration").cells<float>()[i] = 0;
    }
    const State start = state;
    GenerationContext context{.parameters = with_rain(0)};
    for (int t = 0; t < 10; ++t) step<float>(state, context);
    CHECK(same_bytes(state.field("depth"), start.field("depth")));
    CHECK(state.account.at(courant_account) == 0);
}

TEST_CASE("water does not know left from right, nor north from east", "[surface_water]") {
    const Size size{31, 23};
    const State start = wilderness<double>(size, 101);
    const State end = after(start, 30);
    const auto check = [&](Size shape, const auto& place) {
        const State other = after(rearranged(start, shape, place), 30);
        CHECK(largest_difference<double, double>(rearranged(end, shape, place), other) < 1e-12);
    };
    using Place = std::pair<int, int>;
    check(size, [&](int row, int column) { return Place(row, size.columns - 1 - column); });
    check(size, [&](int row, int column) { return Place(size.rows - 1 - row, column); });
    check({size.rows, size.columns}, [](int row, int column) { return Place(column, row); });
    check({size.rows, size.columns},
          [&](int row, int column) { return Place(size.rows - 1 - column, row); });
    CHECK(largest_difference<double, double>(start, end) > 0.1);
}

}  // namespace camber::surface_water::rules_test
