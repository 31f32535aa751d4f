// Steps of the reference: known histories, and invariants of every step.
#include "workloads/lava/sciara_fv3/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "tests/catch.hpp"
#include "tests/workloads/core/real_eruptions.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "tests/workloads/lava/sciara_fv3/cases.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::sciara_fv3::reference_test {
namespace {

constexpr auto real64 = ElementType::float64;
constexpr auto real32 = ElementType::float32;

struct Facts {
    double liquid = 0, solid = 0;
    int active = 0;
    int first_row = std::numeric_limits<int>::max(), last_row = -1;
    int first_column = std::numeric_limits<int>::max(), last_column = -1;
    double thickest = 0, coldest = std::numeric_limits<double>::max(), hottest = 0;
    double thinnest = 0;
    double momentum_x = 0, momentum_y = 0;
    double clock = 0, time = 0;
};

Facts facts_of(const State& state) {
    const Size size = state.field(thickness_field).size();
    const auto h = values_of(state.field(thickness_field));
    const auto t = values_of(state.field(temperature_field));
    Facts facts;
    facts.liquid = total(state.field(thickness_field));
    facts.solid = total(state.field(solidified_field));
    facts.momentum_x = total(state.field(momentum_x_field));
    facts.momentum_y = total(state.field(momentum_y_field));
    facts.clock = state.field(clock_field).cells<double>()[0];
    facts.time = state.field(clock_field).cells<double>()[1];
    for (std::size_t i = 0; i < h.size(); ++i) {
        facts.thinnest = std::min(facts.thinnest, h[i]);
        if (!(h[i] > 0)) continue;
        const int row = static_cast<int>(i / size.columns);
        const int column = static_cast<int>(i % size.columns);
        ++facts.active;
        facts.first_row = std::min(facts.first_row, row);
        facts.last_row = std::max(facts.last_row, row);
        facts.first_column = std::min(facts.first_column, column);
        facts.last_column = std::max(facts.last_column, column);
        facts.thickest = std::max(facts.thickest, h[i]);
        facts.coldest = std::min(facts.coldest, t[i]);
        facts.hottest = std::max(facts.hottest, t[i]);
    }
    return facts;
}

// One line of a known history.
struct Known {
    int step;
    double clock, time, liquid;
    int active;
    double thickest, coldest;
};

auto near(double value) {
    return Approx(value).epsilon(1e-8).margin(0);
}

// Returns the facts after the last step.
Facts follow(State state, const ParameterSet& set, const std::vector<Known>& history,
             Order order = Order::gather) {
    State other = state;
    int done = 0;
    for (const Known& known : history) {
        CAPTURE(known.step);
        for (; done < known.step; ++done) {
            step<double>(state, other, {Boundary::dead, set, done, 1}, order);
            std::swap(state, other);
        }
        const Facts facts = facts_of(state);
        CHECK(facts.clock == near(known.clock));
        CHECK(facts.time == near(known.time));
        CHECK(facts.liquid == near(known.liquid));
        CHECK(facts.active == known.active);
        CHECK(facts.thickest == near(known.thickest));
        CHECK(facts.coldest == near(known.coldest));
    }
    return facts_of(state);
}

const std::vector<Known> slope_history{
    {1, 60, 1, 0.03, 1, 0.03, 1358.24169345},
    {2, 1.63057429183, 61, 1.83, 4, 1.41177521946, 1359.98289997},
    {5, 60, 66.2716450753, 1.98814935226, 4, 0.958443089841, 1359.73844038},
    {20, 1.78958511458, 209.54534319, 6.28636029569, 11, 1.09288307164, 1359.50763282}};

bool same(const State& a, const State& b) {
    return a.account == b.account && std::ranges::all_of(a.fields, [&](const HostField& field) {
               return std::ranges::equal(field.bytes(), b.field(field.name()).bytes());
           });
}

double largest_difference(const State& a, const State& b, const char* field) {
    const auto x = values_of(a.field(field));
    const auto y = values_of(b.field(field));
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
    return largest;
}

bool same_cells_have_lava(const State& a, const State& b) {
    return std::ranges::equal(values_of(a.field(thickness_field)),
                              values_of(b.field(thickness_field)),
                              [](double x, double y) { return (x > 0) == (y > 0); });
}

// The same state in float, except for the clock.
State in_float(const State& state) {
    State result;
    result.account = state.account;
    for (const HostField& field : state.fields)
        if (field.element() == real64 && field.name() != clock_field)
            assign(result.fields.emplace_back(field.name(), real32, field.size()),
                   field.cells<double>());
        else
            result.fields.push_back(field);
    return result;
}

// Moving lava of various thicknesses and temperatures on rough ground, up to the edge.
State rough_ground(Size size, ElementType cell, std::uint64_t seed) {
    std::vector<double> z(static_cast<std::size_t>(size.cells()));
    for (std::size_t i = 0; i < z.size(); ++i)
        z[i] = uniform(seed + 9, i) < 0.03 ? -9999 : 100 + 20 * uniform(seed, i);
    State state = bare_state(size, cell, z, {}, {});
    std::vector<double> h(z.size()), t(z.size()), x(z.size()), y(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) {
        if (z[i] < 0 || uniform(seed + 1, i) < 0.5) continue;
        h[i] = 8 * uniform(seed + 2, i) + 0.01;
        t[i] = 1359 - 210 * uniform(seed + 3, i);
        x[i] = h[i] * (uniform(seed + 4, i) - 0.5);
        y[i] = h[i] * (uniform(seed + 5, i) - 0.5);
    }
    assign(state.field(thickness_field), h);
    assign(state.field(temperature_field), t);
    assign(state.field(momentum_x_field), x);
    assign(state.field(momentum_y_field), y);
    open_account(state);
    return state;
}

struct Start {
    State state;
    ParameterSet set;
};

// Etna in 2006.
Start etna(ElementType cell = real64) {
    const auto folder = real_eruption("etna2006");
    const Workload& workload = *find_workload("sciara_fv3");
    const InitialConditions conditions{
        .size = *workload.input_size(folder), .cell = cell, .input = folder};
    return {workload.initial(conditions), workload.parameters_for(conditions)};
}

}  // namespace

TEST_CASE("lava with momentum on a slope", "[sciara_fv3]") {
    const Facts facts = follow(with_vent({32, 32}, real64, 2, 8, 16), etna_2006(), slope_history);
    CHECK(facts.momentum_x == Approx(0).margin(1e-10));
    CHECK(facts.momentum_y == near(-2.48552083767));
    CHECK(facts.first_row == 8);
    CHECK(facts.last_row == 10);
    CHECK(facts.first_column == 14);
    CHECK(facts.last_column == 18);
}

TEST_CASE("the serial form, which scatters, has the same history", "[sciara_fv3]") {
    for (const Order order : {Order::scatter_by_columns, Order::scatter_by_rows})
        follow(with_vent({32, 32}, real64, 2, 8, 16), etna_2006(), slope_history, order);
}

TEST_CASE("lava with momentum on Etna in 2006", "[sciara_fv3]") {
    const Start eruption = etna();
    const Facts facts =
        follow(eruption.state, eruption.set,
               {{2, 1.16015387804, 61, 1.92868621114, 4, 0.734280892963, 1359.99555516},
                {20, 1.05899405991, 257.243114617, 8.13346308314, 16, 1.05590185957, 1358.92579465},
                {100, 60, 641.417475103, 20.2802137675, 34, 0.966911059764, 1350.99507143}});
    CHECK(facts.momentum_x == near(1.70048278309));
    CHECK(facts.momentum_y == near(-1.27920009301));
    CHECK(facts.first_row == 114);
    CHECK(facts.last_row == 120);
    CHECK(facts.first_column == 71);
    CHECK(facts.last_column == 82);
}

TEST_CASE("a disc of lava on a plane spreads", "[sciara_fv3]") {
    const State start = disc({64, 64}, real64, 0);
    CHECK(facts_of(start).active == 1033);
    const Facts facts =
        follow(start, etna_2006({}),
               {{1, 1.76760022482, 1, 3101.68, 1185, 4.66857130039, 1359.87537751},
                {10, 3.27881889914, 23.4888061756, 3101.68, 1285, 3.82901376114, 1359.71299152}});
    CHECK(facts.momentum_x == near(-0.766984145226));
    CHECK(facts.momentum_y == near(-1.81601380778));
}

TEST_CASE("a large disc of lava on a slope", "[sciara_fv3]") {
    const State start = disc({400, 400}, real64, 2);
    CHECK(facts_of(start).active == 39'997);
    CHECK(facts_of(start).liquid == near(119963.252));
    follow(
        start, etna_2006({}),
        {{1, 1.34704107241, 1, 119963.252, 40'724, 4.70282832708, 1351.69637296},
         {100, 1.50025541336, 146.543527312, 119963.25141, 44'917, 3.07000906553, 1196.62228066}});
}

TEST_CASE("a crater on a plane keeps its symmetry", "[sciara_fv3]") {
    const Facts facts =
        follow(with_vent({200, 200}, real64, 0, 100, 100), etna_2006(),
               {{400, 3.00912932649, 4152.522444, 124.57567332, 81, 4.63246345749, 1355.35378157}});
    CHECK(facts.first_row == 96);
    CHECK(facts.last_row == 104);
    CHECK(facts.first_column == 96);
    CHECK(facts.last_column == 104);
    CHECK(std::abs(facts.momentum_x) < 1e-10);
    CHECK(std::abs(facts.momentum_y) < 1e-10);
}

TEST_CASE("in every step mass is kept, temperatures stay in range, lava moves by a cell",
          "[sciara_fv3]") {
    for (const ElementType cell : {real64, real32})
        for (const std::uint64_t seed : {1, 2, 3}) {
            State state = rough_ground({37, 29}, cell, seed);
            const ParameterSet set = etna_2006({});
            Facts before = facts_of(state);
            const double start = before.liquid;
            const double epsilon = cell == real64 ? 1e-12 : 1e-5;
            for (int n = 0; n < 60; ++n) {
                CAPTURE(seed, n, cell == real64);
                advance_reference(state, set, 1);
                const Facts facts = facts_of(state);
                CHECK(facts.liquid + facts.solid == Approx(start).epsilon(epsilon));
                CHECK(facts.thinnest >= 0);
                CHECK(facts.clock > 0);
                CHECK(facts.clock <= 60);
                if (facts.active > 0) {
                    CHECK(facts.coldest > 1143);
                    CHECK(facts.hottest <= 1360 * (1 + epsilon));
                }
                CHECK(facts.first_row >= before.first_row - 1);
                CHECK(facts.last_row <= before.last_row + 1);
                CHECK(facts.first_column >= before.first_column - 1);
                CHECK(facts.last_column <= before.last_column + 1);
                const auto z = values_of(state.field(altitude_field));
                const auto h = values_of(state.field(thickness_field));
                for (std::size_t i = 0; i < z.size(); ++i)
                    if (z[i] < 0) REQUIRE(h[i] == 0);
                before = facts;
            }
        }
}

TEST_CASE("what vents gave is in the account", "[sciara_fv3]") {
    for (const ElementType cell : {real64, real32}) {
        State state = with_vent({32, 32}, cell, 2, 8, 16);
        double duration = 1;
        double emitted = 0;
        for (int n = 0; n < 50; ++n) {
            emitted += 3.0 / 100 * duration;
            advance_reference(state, etna_2006(), 1);
            duration = state.field(clock_field).cells<double>()[0];
            const Facts facts = facts_of(state);
            const double epsilon = cell == real64 ? 1e-12 : 1e-5;
            CHECK(state.account[emitted_account] == Approx(emitted).epsilon(epsilon));
            CHECK(facts.liquid + facts.solid == Approx(emitted).epsilon(epsilon));
        }
        CHECK(state.account[clamped_account] == 0);
    }
}

TEST_CASE("lava on a cone flows alike to the east and the west", "[sciara_fv3]") {
    constexpr Size size{41, 41};
    std::vector<double> z(static_cast<std::size_t>(size.cells()));
    for (std::size_t i = 0; i < z.size(); ++i) {
        const double south = static_cast<double>(i / 41) - 20;
        const double east = static_cast<double>(i % 41) - 20;
        z[i] = 1000 - 2 * std::sqrt(south * south + east * east);
    }
    State state = bare_state(size, real64, z, {{1, 20, 20}}, constant_rate(8));
    advance_reference(state, etna_2006(constant_rate(8)), 300);
    const Facts facts = facts_of(state);
    CHECK(facts.active > 60);
    CHECK(facts.first_column + facts.last_column == 40);
    CHECK(facts.first_row + facts.last_row == 40);
    const auto h = values_of(state.field(thickness_field));
    for (int row = 0; row < 41; ++row)
        for (int column = 0; column < 41; ++column) {
            const double here = h[static_cast<std::size_t>(row) * 41 + column];
            CHECK(here == Approx(h[static_cast<std::size_t>(row) * 41 + 40 - column]).margin(1e-9));
            CHECK(here == Approx(h[static_cast<std::size_t>(40 - row) * 41 + column]).margin(1e-9));
            CHECK(here == Approx(h[static_cast<std::size_t>(column) * 41 + row]).margin(1e-9));
        }
}

TEST_CASE("any number of threads and either form of the angles give the same bits",
          "[sciara_fv3]") {
    for (const ElementType cell : {real64, real32})
        for (const Size size : {Size{130, 110}, Size{3, 3}, Size{1, 7}, Size{40, 2}}) {
            CAPTURE(size.columns, size.rows);
            const State start = rough_ground(size, cell, 4);
            State one = start, threads = start, other = start;
            advance_reference(one, etna_2006({}), 12);
            advance_reference(threads, etna_2006({}), 12, Order::gather, Trigonometry::branching,
                              3);
            advance_reference(other, etna_2006({}), 12, Order::gather, Trigonometry::if_free);
            CHECK(same(one, threads));
            CHECK(same(one, other));
        }
}

TEST_CASE("the order of additions stays invisible in double", "[sciara_fv3]") {
    const auto check = [](const State& start, const ParameterSet& set, int steps) {
        State gathered = start, by_columns = start, by_rows = start;
        advance_reference(gathered, set, steps);
        advance_reference(by_columns, set, steps, Order::scatter_by_columns);
        advance_reference(by_rows, set, steps, Order::scatter_by_rows);
        for (const State* scattered : {&by_columns, &by_rows}) {
            CHECK(largest_difference(gathered, *scattered, thickness_field) <= 1e-9);
            CHECK(same_cells_have_lava(gathered, *scattered));
        }
    };
    check(with_vent({32, 32}, real64, 2, 8, 16), etna_2006(), 200);
    check(with_vent({100, 100}, real64, 2, 25, 50), etna_2006(), 200);
    check(disc({64, 64}, real64, 0), etna_2006({}), 200);
    const Start eruption = etna();
    check(eruption.state, eruption.set, 200);
}

TEST_CASE("a hundred steps of little lava hardly differ in float", "[sciara_fv3]") {
    const auto check = [](const State& start, const ParameterSet& set) {
        const State small = in_float(start);
        State large = start, gathered = small, scattered = small;
        advance_reference(large, set, 100);
        advance_reference(gathered, set, 100);
        advance_reference(scattered, set, 100, Order::scatter_by_columns);
        CHECK(largest_difference(large, gathered, thickness_field) <= 5e-4);
        CHECK(largest_difference(scattered, gathered, thickness_field) <= 5e-4);
    };
    check(with_vent({32, 32}, real64, 2, 8, 16), etna_2006());
    check(with_vent({100, 100}, real64, 2, 25, 50), etna_2006());
    const Start eruption = etna();
    check(eruption.state, eruption.set);
}

TEST_CASE("twenty steps of much lava differ in few cells in float", "[sciara_fv3]") {
    State large = disc({400, 400}, real64, 2);
    State small = in_float(large);
    for (int n = 0; n < 20; ++n) {
        advance_reference(large, etna_2006({}), 1);
        advance_reference(small, etna_2006({}), 1);
        const auto x = values_of(large.field(thickness_field));
        const auto y = values_of(small.field(thickness_field));
        int active = 0, beyond = 0, far = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!(x[i] > 0 || y[i] > 0)) continue;
            ++active;
            beyond += std::abs(x[i] - y[i]) > 5e-4;
            far += std::abs(x[i] - y[i]) > 5e-4 && std::abs(x[i] - y[i]) > 0.1 * x[i];
        }
        CAPTURE(n);
        CHECK(beyond <= 0.001 * active);
        CHECK(far == 0);
    }
}

}  // namespace camber::sciara_fv3::reference_test
