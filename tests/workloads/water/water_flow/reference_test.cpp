// Serial reference of water flow compared with histories computed by an independent program.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/water/water_flow/reference.hpp"

namespace camber::water_flow::reference_test {

namespace {

void set(State& state, const char* field, const std::vector<double>& values) {
    std::ranges::copy(values, state.field(field).cells<double>().begin());
}

void check_levels(const State& state, const std::vector<double>& expected) {
    const auto level = state.field("level").cells<double>();
    REQUIRE(level.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(i);
        CHECK(level[i] == Approx(expected[i]).epsilon(1e-8).margin(1e-12));
    }
}

}  // namespace

TEST_CASE("a drop spreads over flat ground as worked by hand", "[water_flow]") {
    State state = empty_state<double>({3, 3});
    set(state, "level", {0, 0, 0, 0, 9, 0, 0, 0, 0});
    const std::vector<double> expected[] = {
        {0, 1.8, 0, 1.8, 1.8, 1.8, 0, 1.8, 0},
        {1.2, 0.6, 1.2, 0.6, 1.8, 0.6, 1.2, 0.6, 1.2},
        {0.8, 1.24, 0.8, 1.24, 0.84, 1.24, 0.8, 1.24, 0.8},
    };
    for (const auto& levels : expected) {
        const Exchange exchange = step<double>(state);
        check_levels(state, levels);
        CHECK(water<double>(state) == Approx(9).epsilon(1e-14));
        CHECK(exchange.added == 0);
        CHECK(exchange.drained == 0);
    }
}

TEST_CASE("sources fill, and drain no further than the terrain", "[water_flow]") {
    State state = empty_state<double>({3, 3});
    set(state, "terrain", {3, 2, 1, 2, 1, 0, 1, 0, 0});
    set(state, "level", {3, 2, 1, 2, 4, 0, 1, 0, 0});
    set(state, "sources", {1, 0, 0, 0, 0, 0, 0, 0, -2});
    Exchange exchange = step<double>(state);
    check_levels(state, {4, 2, 1, 2, 4. / 3, 4. / 3, 1, 4. / 3, 0});
    CHECK(water<double>(state) == Approx(4));
    CHECK(exchange.added == Approx(1));
    CHECK(exchange.drained == 0);
    exchange = step<double>(state);
    check_levels(state, {4, 2.5, 1, 2.5, 4. / 3, 2. / 3, 1, 2. / 3, 0});
    CHECK(water<double>(state) == Approx(11. / 3));
    CHECK(exchange.added == Approx(1));
    CHECK(exchange.drained == Approx(4. / 3));
}

TEST_CASE("a random field's history", "[water_flow]") {
    struct History {
        int side, sink_row, sink_column;
        std::uint64_t terrain_hash;
        double water[4];  // at 0, 1, 10 and 100 steps
        double water_digits;
        double added, drained, deepest;
    };
    const History histories[] = {
        {64,
         28,
         10,
         0x64f652e1e6e1ebb0,
         {2069.000007, 2069.000007, 2071.000007, 2116.000007},
         5e-7,
         50,
         3,
         8.12661709},
        {512,
         422,
         342,
         0x7b4587a9506c71b1,
         {131422.000, 131422.000, 131422.000, 131463.9616},
         5e-4,
         50,
         8.038348507,
         8.92302005},
    };
    for (const History& history : histories) {
        CAPTURE(history.side);
        const Size size{history.side, history.side};
        State state = random_state<double>(size);
        const auto terrain = state.field("terrain").cells<double>();
        const auto level = state.field("level").cells<double>();
        Checksum hash;
        for (const double altitude : terrain) {
            const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(altitude));
            for (int byte = 0; byte < 4; ++byte) hash.add(bits >> 8 * byte);
        }
        CHECK(hash.value() == history.terrain_hash);
        CHECK(terrain[0] == Approx(0.265203714).epsilon(1e-8));
        const auto sources = state.field("sources").cells<double>();
        CHECK(sources[0] == 0.5);
        CHECK(sources[history.sink_row * history.side + history.sink_column] == -0.5);
        CHECK(std::ranges::count(sources, 0) == size.cells() - 2);

        const auto deepest = [&] {
            double largest = 0;
            for (std::size_t i = 0; i < level.size(); ++i)
                largest = std::max(largest, level[i] - terrain[i]);
            return largest;
        };
        const double start = water<double>(state);
        CHECK(start == Approx(history.water[0]).epsilon(0).margin(history.water_digits));
        double added = 0, drained = 0;
        const int instants[] = {1, 10, 100};
        for (int t = 1, i = 0; t <= 100; ++t) {
            const Exchange exchange = step<double>(state);
            added += exchange.added;
            drained += exchange.drained;
            if (t != instants[i]) continue;
            CAPTURE(t);
            if (t == 1) CHECK(deepest() == Approx(5).epsilon(1e-6));
            CHECK(water<double>(state) ==
                  Approx(history.water[++i]).epsilon(0).margin(history.water_digits));
            CHECK(water<double>(state) == Approx(start + added - drained).epsilon(1e-12));
        }
        CHECK(added == Approx(history.added).epsilon(1e-9));
        CHECK(drained == Approx(history.drained).epsilon(1e-9));
        CHECK(deepest() == Approx(history.deepest).epsilon(1e-8));
    }
}

TEST_CASE("water flow in float stays near water flow in double", "[water_flow]") {
    // Limits: 1.5 times the results of an independent program, 7.2e-7, 2.0e-6 and 3.8e-5.
    const std::pair<int, double> limits[] = {{1, 1.1e-6}, {10, 3e-6}, {100, 5.7e-5}};
    State exact = random_state<double>({64, 64});
    State rounded = random_state<float>({64, 64});
    const auto level = exact.field("level").cells<double>();
    const auto rounded_level = rounded.field("level").cells<float>();
    int t = 0;
    for (const auto& [steps, limit] : limits) {
        for (; t < steps; ++t) {
            step<double>(exact);
            step<float>(rounded);
        }
        double largest = 0;
        for (std::size_t i = 0; i < level.size(); ++i)
            largest = std::max(largest, std::abs(level[i] - rounded_level[i]));
        CAPTURE(t);
        CHECK(largest < limit);
        CHECK(largest > 0);
    }
}

}  // namespace camber::water_flow::reference_test
