// Steps of the reference: known histories, invariants of every step, and independence of the order
// of work.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "tests/catch.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "tests/workloads/lava/magflow/cases.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/lava/fields.hpp"
#include "workloads/lava/magflow/reference.hpp"
#include "workloads/lava/magflow/rules.hpp"
#include "workloads/lava/start.hpp"

namespace camber::magflow::reference_test {

namespace {

auto equals(double value) {
    return Approx(value).epsilon(1e-9).margin(0);
}

// Nine cells with different lava, the middle one on solid lava, without a vent.
lava::Event patch() {
    lava::Event event;
    event.map.size = {3, 3};
    event.map.cell_size = 10;
    event.rates = {86400, {{1, {30}}}};
    event.altitude = {12, 12.5, 13, 10.5, 11 + 0.25, 11.5, 9, 9.5, 10};
    event.solidified = {0, 0, 0, 0, 0.25, 0, 0, 0, 0};
    event.thickness = {0.5, 0, 0, 0.4, 1, 0.3, 0, 0, 0.2};
    event.temperature = {1250, 0, 0, 1200, 1300, 1180, 0, 0, 1150};
    return event;
}

std::uint64_t checksum(const State& state, const char* field) {
    Checksum sum;
    for (const std::byte byte : state.field(field).bytes())
        sum.add(static_cast<std::uint8_t>(byte));
    return sum.value();
}

bool same_bits(const State& a, const State& b) {
    return std::ranges::all_of(std::initializer_list{thickness_field, solidified_field, heat_field,
                                                     temperature_field, time_field},
                               [&](const char* field) {
                                   return std::ranges::equal(a.field(field).bytes(),
                                                             b.field(field).bytes());
                               });
}

double sum(const State& state, const char* field) {
    return total(state.field(field));
}

struct Milestone {
    int step;
    double time, dt, fluid, solid, thickest;  // m^3, m
    std::uint32_t dt_bits;                    // in float
    std::uint64_t compensated, plain;         // checksums of the thickness in float
};
constexpr Milestone milestones[] = {
    {1, 10, 10, 300, 0, 3, 0x41200000, 0x8a3d6d8af157dc25, 0x8a3d6d8af157dc25},
    {2, 10.0021081247, 0.00210812473899, 300.063243742, 0, 2.70063243742, 0x3b0a287b,
     0x6986258c42f364a4, 0x6986258c42f364a4},
    {10, 10.1151170045, 0.0343793903867, 303.453461073, 4.90610170e-5, 1.19085537045, 0x3d0cd118,
     0x698e63f87ca3d291, 0x044f98d02d9b6e27},
    {100, 28.9440117042, 0.220442018267, 868.256181330, 0.0641697949958, 0.661819660498, 0x3e61bb9d,
     0x9b965f6e2f235241, 0xd07028808d58cd5c},
    {1000, 227.421255401, 0.220534741895, 6819.39908058, 3.23858144082, 0.661604267387, 0x3e61d3ee,
     0x1485bcf58b1534b5, 0x68008a3e978e25b1},
    {2000, 447.955915208, 0.220534673393, 13428.5285253, 10.1489309549, 0.684563744695, 0x3e61d3da,
     0xb40668d622ae314e, 0xaa4dd9ba946a2860},
};

}  // namespace

TEST_CASE("one step on nine cells", "[magflow]") {
    const State before = initial_state(patch(), ElementType::float64, capacity);
    CHECK(at<double>(before, altitude_field, 1, 1) == 11);
    CHECK(at<double>(before, heat_field, 1, 1) == capacity * 1 * 1300);
    State state = before;
    run(state, etna(), 1, Coverage::board);
    CHECK(time_of(state) == equals(0.108033774889));
    struct Expected {
        int row, column;
        double thickness, temperature;
    };
    for (const auto& [row, column, thickness, temperature] :
         {Expected{0, 0, 0.4993942648, 1249.990986}, Expected{1, 0, 0.4142077686, 1203.381424},
          Expected{1, 1, 0.9000474989, 1299.99151}, Expected{1, 2, 0.3044639976, 1181.757248},
          Expected{2, 0, 0.03305319105, 1299.782871}, Expected{2, 1, 0.0279261092, 1299.780835},
          Expected{2, 2, 0.2209071699, 1164.176377}, Expected{0, 1, 0, 0}, Expected{0, 2, 0, 0}}) {
        CAPTURE(row, column);
        CHECK(at<double>(state, thickness_field, row, column) == equals(thickness));
        CHECK(at<double>(state, temperature_field, row, column) == equals(temperature));
        CHECK(at<double>(state, solidified_field, row, column) ==
              at<double>(before, solidified_field, row, column));
    }
    CHECK(100 * sum(state, thickness_field) == equals(240));
}

TEST_CASE("the fluxes of the middle of nine cells, neighbour by neighbour", "[magflow]") {
    const State state = initial_state(patch(), ElementType::float64, capacity);
    const auto p = flow_parameters<double>(etna());
    const auto lava = [&](int row, int column) {
        return Lava<double>{at<double>(state, altitude_field, row, column) +
                                at<double>(state, solidified_field, row, column),
                            at<double>(state, thickness_field, row, column),
                            at<double>(state, temperature_field, row, column)};
    };
    constexpr double expected[] = {-12.74160496, -4.154516564, -30.52880718, 0, -25.79543567, 0,
                                   -19.34328076, 0.04396669829};
    CellFlux<double, true> total(0, p);
    for (int k = 0; k < neighbours; ++k) {
        CAPTURE(k);
        const auto e = exchange(lava(1, 1), lava(1 + row_offset(k), 1 + column_offset(k)),
                                p.distance[is_diagonal(k)], p);
        CHECK((e.gives ? -e.volume : e.volume) == equals(expected[k]));
        total.add(e);
    }
    CHECK(total.volume.value == equals(-92.51967842));
    CHECK(total.heat.value == equals(-120277.7803));
    CHECK(total.outflow == equals(92.56364512));
}

TEST_CASE("lava in a valley: the known history in double precision", "[magflow]") {
    for (const double kahan : {1.0, 0.0}) {
        CAPTURE(kahan);
        const ParameterSet set = changed(etna(), {{"kahan", kahan}});
        State state = initial_state(valley(), ElementType::float64, capacity);
        State before = state;
        int done = 0;
        for (const Milestone& m : milestones) {
            CAPTURE(m.step);
            run(state, set, m.step - done - 1);
            before = state;
            run(state, set, 1);
            done = m.step;
            CHECK(time_of(state) == equals(m.time));
            CHECK(time_of(state) - time_of(before) == Approx(m.dt).epsilon(1e-8));
            CHECK(100 * sum(state, thickness_field) == equals(m.fluid));
            CHECK(100 * sum(state, solidified_field) == Approx(m.solid).epsilon(1e-8).margin(0));
            CHECK(std::ranges::max(state.field(thickness_field).cells<double>()) ==
                  equals(m.thickest));
            const auto covered = [&](const char* field) {
                return std::ranges::count_if(state.field(field).cells<double>(),
                                             [](double x) { return x > 0; });
            };
            if (m.step == 100) CHECK((covered("thickness") == 54 && covered("solidified") == 43));
            if (m.step == 1000)
                CHECK((covered("thickness") == 311 && covered("solidified") == 309));
            if (m.step != 2000) continue;
            CHECK((covered("thickness") == 537 && covered("solidified") == 535));
            int first_row = 64, last_row = -1, first_column = 64, last_column = -1;
            for (int row = 0; row < 64; ++row)
                for (int column = 0; column < 64; ++column)
                    if (at<double>(state, thickness_field, row, column) > 0 ||
                        at<double>(state, solidified_field, row, column) > 0) {
                        first_row = std::min(first_row, row);
                        last_row = std::max(last_row, row);
                        first_column = std::min(first_column, column);
                        last_column = std::max(last_column, column);
                    }
            CHECK(first_row == 7);
            CHECK(last_row == 51);
            CHECK(first_column == 22);
            CHECK(last_column == 40);
            CHECK_FALSE(edge_reached(state));
            // Walls lose no lava.
            CHECK(sum(state, thickness_field) + sum(state, solidified_field) ==
                  Approx(state.account.at(emitted_account)).epsilon(1e-12));
            CHECK(state.account.at(emitted_account) ==
                  Approx(30 * time_of(state) / 100).epsilon(1e-12));
        }
    }
}

TEST_CASE("lava in a valley: the known bits in single precision", "[magflow]") {
    for (const bool kahan : {true, false}) {
        CAPTURE(kahan);
        const ParameterSet set = changed(etna(), {{"kahan", kahan ? 1.0 : 0.0}});
        State state = initial_state(valley(), ElementType::float32, capacity);
        int done = 0;
        for (const Milestone& m : milestones) {
            CAPTURE(m.step);
            run(state, set, m.step - done - 1);
            const double before = time_of(state);
            run(state, set, 1);
            done = m.step;
            if (kahan) {
                // The time is the exact sum of the steps, except for its own last bits.
                const double dt = std::bit_cast<float>(m.dt_bits);
                CHECK(time_of(state) - before == Approx(dt).epsilon(1e-10).margin(0));
            }
            CHECK(checksum(state, thickness_field) == (kahan ? m.compensated : m.plain));
        }
        CHECK(sum(state, thickness_field) + sum(state, solidified_field) ==
              Approx(state.account.at(emitted_account)).epsilon(1e-6));
    }
}

TEST_CASE("single precision stays close to double, and so does another order", "[magflow]") {
    State single = initial_state(valley(), ElementType::float32, capacity);
    State precise = initial_state(valley(), ElementType::float64, capacity);
    State plain = single;
    run(single, etna(), 1000);
    run(precise, etna(), 1000);
    run(plain, changed(etna(), {{"kahan", 0}}), 1000);
    const auto invaded = [](const State& state) {
        return std::ranges::count_if(lava::values_of(state.field(thickness_field)),
                                     [](double h) { return h > 0; });
    };
    const auto h = lava::values_of(precise.field(thickness_field));
    for (const State* other : {&single, &plain}) {
        const auto cells = lava::values_of(other->field(thickness_field));
        double largest = 0;
        for (std::size_t i = 0; i < h.size(); ++i)
            largest = std::max(largest, std::abs(cells[i] - h[i]));
        CHECK(largest <= 1e-3);
        CHECK(std::abs(invaded(*other) - invaded(precise)) <= 0.01 * invaded(precise));
    }
}

TEST_CASE("the order of work does not change a bit", "[magflow]") {
    const lava::Event rough = lava::volcano({41, 33}, 7, 0.4);
    const lava::EmissionRates& rates = rough.rates;
    for (const ElementType cell : {ElementType::float32, ElementType::float64})
        for (const double kahan : {0.0, 1.0}) {
            const ParameterSet set = changed(etna(rates), {{"kahan", kahan}});
            const State start = initial_state(rough, cell, capacity);
            State expected = start;
            run(expected, set, 25);
            struct Way {
                Coverage extent;
                PairOrder order;
                int threads;
            };
            for (const Way& way :
                 {Way{Coverage::board, PairOrder::gather, 1}, Way{Coverage::lava, PairOrder::pairs, 1},
                  Way{Coverage::board, PairOrder::pairs, 1},
                  Way{Coverage::board, PairOrder::gather, 3}}) {
                State state = start;
                run(state, set, 25, way.extent, way.order, way.threads);
                CHECK(same_bits(state, expected));
                CHECK(state.account == expected.account);
            }
        }
    // Enough cells that threads actually share the work.
    const State start =
        initial_state(lava::volcano({150, 120}, 7, 0.4), ElementType::float32, capacity);
    State one = start, four = start;
    run(one, etna(rates), 3);
    run(four, etna(rates), 3, Coverage::lava, PairOrder::gather, 4);
    CHECK(same_bits(one, four));
}

TEST_CASE("what holds in every step of lava", "[magflow]") {
    const auto check = [](auto zero, const lava::Event& event, double mass_error) {
        using R = decltype(zero);
        const ParameterSet set = etna(event.rates);
        State state = initial_state(event, element_of<R>(), capacity);
        State other = state;
        const Size size = event.map.size;
        const double slack = std::is_same_v<R, float> ? 1e-6 : 1e-12;
        for (int n = 0; n < 300; ++n) {
            step(state, other, {Boundary::dead, set, n});
            REQUIRE(time_of(other) > time_of(state));
            REQUIRE(time_of(other) - time_of(state) <= 10 * (1 + 1e-9));
            bool reached = true, bounded = true;
            for (int row = 0; row < size.rows; ++row)
                for (int column = 0; column < size.columns; ++column) {
                    const R h = at<R>(other, thickness_field, row, column);
                    const R t = at<R>(other, temperature_field, row, column);
                    const R q = at<R>(other, heat_field, row, column);
                    const R s = at<R>(other, solidified_field, row, column);
                    bounded =
                        bounded && h >= 0 && s >= 0 &&
                        (h > 0 ? t >= 1073.15 * (1 - slack) && t <= 1360 * (1 + slack) && q > 0
                               : t == 0 && q == 0);
                    // Lava moves by at most one cell.
                    if (!(h > 0) || at<R>(state, thickness_field, row, column) > 0) continue;
                    bool near =
                        state.field(vents_field)
                            .cells<std::uint8_t>()[static_cast<std::size_t>(row) * size.columns +
                                                   column] != 0;
                    for (int r = std::max(0, row - 1); r <= std::min(size.rows - 1, row + 1); ++r)
                        for (int c = std::max(0, column - 1);
                             c <= std::min(size.columns - 1, column + 1); ++c)
                            near = near || at<R>(state, thickness_field, r, c) > 0;
                    reached = reached && near;
                }
            CAPTURE(n);
            REQUIRE(bounded);
            REQUIRE(reached);
            std::swap(state, other);
        }
        CHECK(sum(state, thickness_field) + sum(state, solidified_field) ==
              Approx(state.account.at(initial_account) + state.account.at(emitted_account))
                  .epsilon(mass_error));
    };
    const lava::Event covered = lava::volcano({24, 19}, 5, 0.3);
    check(float{}, covered, 1e-6);
    check(double{}, covered, 1e-12);
    check(float{}, valley(), 1e-6);
}

TEST_CASE("lava on a symmetric cone is symmetric", "[magflow]") {
    constexpr int side = 31;
    lava::Event event;
    event.map.size = {side, side};
    event.vents = {{1, 15, 15}};
    event.rates = {86400, {{1, {30}}}};
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column)
            event.altitude.push_back(1000 - 2 * std::hypot(row - 15, column - 15));
    State state = initial_state(event, ElementType::float64, capacity);
    run(state, etna(), 200);
    double largest = 0;
    int covered = 0;
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            const double h = at<double>(state, thickness_field, row, column);
            covered += h > 0;
            for (const double mirrored :
                 {at<double>(state, thickness_field, side - 1 - row, column),
                  at<double>(state, thickness_field, row, side - 1 - column),
                  at<double>(state, thickness_field, column, row)})
                largest = std::max(largest, std::abs(h - mirrored));
        }
    CHECK(covered > 20);
    // The order of a cell's additions is not symmetric.
    CHECK(largest < 1e-9);
}

TEST_CASE("walls stand where there is no ground", "[magflow]") {
    lava::Event event = valley();
    // Around the vent, except for one cell.
    for (int row = 6; row <= 10; ++row)
        for (int column = 30; column <= 34; ++column)
            if (row == 6 || row == 10 || column == 30 || column == 34)
                event.altitude[row * 64 + column] = -9999;
    State state = initial_state(event, ElementType::float32, capacity);
    CHECK(at<float>(state, altitude_field, 6, 30) == 1e6f);
    run(state, etna(), 200);
    for (int row = 0; row < 64; ++row)
        for (int column = 0; column < 64; ++column)
            if (row <= 6 || row >= 10 || column <= 30 || column >= 34)
                REQUIRE(at<float>(state, thickness_field, row, column) == 0);
    CHECK(sum(state, thickness_field) + sum(state, solidified_field) ==
          Approx(state.account.at(emitted_account)).epsilon(1e-6));
}

TEST_CASE("the account knows when lava comes to the edge", "[magflow]") {
    lava::Event event = valley();
    event.vents = {{1, 62, 32}};
    State state = initial_state(event, ElementType::float32, capacity);
    CHECK_FALSE(edge_reached(state));
    run(state, etna(), 5);
    CHECK(edge_reached(state));
}

TEST_CASE("lava that is no number ends the run", "[magflow]") {
    State state = initial_state(valley(), ElementType::float64, capacity);
    state.field(thickness_field).cells<double>()[700] = 1;
    state.field(heat_field).cells<double>()[700] = std::numeric_limits<double>::quiet_NaN();
    state.field(temperature_field).cells<double>()[700] = 1300;
    State other = state;
    CHECK_THROWS_WITH(step(state, other, {Boundary::dead, etna(), 3}),
                      contains("lava cannot be computed beyond step 3"));
}

}  // namespace camber::magflow::reference_test
