// Steps of the reference: known histories, invariants of every step, and the stop rule.
#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "tests/workloads/core/real_eruptions.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "tests/workloads/lava/sciara_fv2/cases.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/lava/sciara_fv2/reference.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::sciara_fv2::reference_test {

namespace {

void run(State& state, const ParameterSet& set, int steps, int first = 0,
         Coverage extent = Coverage::lava, int threads = 1) {
    State other = state;
    for (int n = 0; n < steps; ++n) {
        step(state, other, {Boundary::dead, set, first + n, threads}, extent);
        std::swap(state, other);
    }
}

double sum(const State& state, const char* field) {
    return tree_sum(state.field(field).cells<double>());
}

struct Facts {
    double liquid, solid;
    int active;
    int first_row, last_row, first_column, last_column;
    double thickest, coldest;  // of liquid lava
};

Facts facts_of(const State& state) {
    const Size size = state.field(thickness_field).size();
    Facts facts{sum(state, thickness_field),
                sum(state, solidified_field),
                0,
                size.rows,
                -1,
                size.columns,
                -1,
                0,
                std::numeric_limits<double>::max()};
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column) {
            const double h = at(state, thickness_field, row, column);
            if (!(h > 0)) continue;
            ++facts.active;
            facts.first_row = std::min(facts.first_row, row);
            facts.last_row = std::max(facts.last_row, row);
            facts.first_column = std::min(facts.first_column, column);
            facts.last_column = std::max(facts.last_column, column);
            facts.thickest = std::max(facts.thickest, h);
            facts.coldest = std::min(facts.coldest, at(state, temperature_field, row, column));
        }
    return facts;
}

// One line of a known history.
struct Known {
    int step;
    Facts facts;
    double thickness_at_vent, temperature_at_vent;
};

void follow(State state, const ParameterSet& set, int vent_row, int vent_column,
            const std::vector<Known>& history) {
    const auto equals = [](double value) { return Approx(value).epsilon(1e-9).margin(0); };
    int done = 0;
    for (const Known& known : history) {
        CAPTURE(known.step);
        run(state, set, known.step - done, done);
        done = known.step;
        const Facts facts = facts_of(state);
        CHECK(facts.liquid == equals(known.facts.liquid));
        CHECK(facts.solid == equals(known.facts.solid));
        CHECK(facts.active == known.facts.active);
        CHECK(facts.first_row == known.facts.first_row);
        CHECK(facts.last_row == known.facts.last_row);
        CHECK(facts.first_column == known.facts.first_column);
        CHECK(facts.last_column == known.facts.last_column);
        CHECK(facts.thickest == equals(known.facts.thickest));
        CHECK(facts.coldest == equals(known.facts.coldest));
        CHECK(at(state, thickness_field, vent_row, vent_column) == equals(known.thickness_at_vent));
        CHECK(at(state, temperature_field, vent_row, vent_column) ==
              equals(known.temperature_at_vent));
    }
}

struct Start {
    State state;
    ParameterSet set;
};

Start start_of(const char* name) {
    const auto folder = real_eruption(name);
    const Workload& workload = *find_workload("sciara_fv2");
    const InitialConditions conditions{
        .size = *workload.input_size(folder), .cell = ElementType::float64, .input = folder};
    return {workload.initial(conditions), workload.parameters_for(conditions)};
}

// Lava of various thicknesses and temperatures on rough ground, up to the frame.
State rough_ground(Size size, std::uint64_t seed) {
    std::vector<double> altitude(static_cast<std::size_t>(size.cells()));
    for (std::size_t i = 0; i < altitude.size(); ++i) altitude[i] = 100 + 20 * uniform(seed, i);
    State state =
        bare_state(size, altitude, {{1, size.rows / 2, size.columns / 2}}, {86400, {{1, {3}}}});
    const auto h = state.field(thickness_field).cells<double>();
    const auto t = state.field(temperature_field).cells<double>();
    const auto frame = state.field(frame_field).cells<std::uint8_t>();
    for (std::size_t i = 0; i < h.size(); ++i) {
        if (frame[i] || uniform(seed + 1, i) < 0.5) continue;
        h[i] = 10 * uniform(seed + 2, i);
        t[i] = 1360 - 216 * uniform(seed + 3, i);
    }
    open_account(state);
    return state;
}

bool same(const State& a, const State& b) {
    return a.account == b.account && std::ranges::all_of(a.fields, [&](const HostField& field) {
               return std::ranges::equal(field.bytes(), b.field(field.name()).bytes());
           });
}

}  // namespace

TEST_CASE("lava on a slope", "[sciara_fv2]") {
    follow(slope(), etna_2006(), 8, 16,
           {{1, {3.6, 0, 4, 8, 9, 15, 17, 1.51099807716, 1358.90995228}, 0.18, 1358.90995228},
            {5,
             {18, 0, 18, 8, 11, 14, 18, 2.90028013953, 1357.87865055},
             1.20187331829,
             1359.83652496},
            {20,
             {72, 0, 74, 7, 17, 12, 20, 3.71764491063, 1332.40271764},
             1.23780761131,
             1359.84126963}});
}

TEST_CASE("Etna in 2006: the first hundred steps", "[sciara_fv2]") {
    const auto etna = start_of("etna2006");
    follow(etna.state, etna.set, 114, 71,
           {{1,
             {3.7941368088, 0, 5, 114, 115, 71, 78, 1.80221498418, 1357.93442477},
             0.0948534202202,
             1357.93442477},
            {10,
             {37.941368088, 0, 44, 114, 119, 71, 83, 4.41433167456, 1325.20870047},
             0.0998457054952,
             1358.03740574},
            {50,
             {189.70684044, 0, 218, 114, 124, 71, 99, 4.42701952143, 1177.46151567},
             0.0998457054952,
             1358.03740574},
            {100,
             {379.370254995, 0.0434258850112, 407, 114, 129, 71, 115, 4.91464196486, 1248.34202626},
             0.0998457054946,
             1358.03740574}});
}

TEST_CASE("Etna in 2001: the first hundred steps", "[sciara_fv2]") {
    const auto etna = start_of("etna2001");
    follow(etna.state, etna.set, 81, 204,
           {{3, {0.9, 0, 2, 81, 82, 204, 205, 0.81, 1356.35431341}, 0.0899999999999, 1356.35431341},
            {10, {3, 0, 7, 81, 85, 204, 208, 0.967459005652, 1349.6620036}, 0.3999, 1359.17609607},
            {100,
             {29.9661439532, 0.0338560467831, 51, 81, 99, 204, 212, 1.16214358904, 1207.39537115},
             0.4,
             1359.17630179}});
}

TEST_CASE("the frame of Etna in 2001 includes the neighbours of what has no altitude",
          "[sciara_fv2]") {
    const auto etna = start_of("etna2001");
    const auto frame = etna.state.field(frame_field).cells<std::uint8_t>();
    const auto altitude = etna.state.field(altitude_field).cells<double>();
    CHECK(std::ranges::count(altitude, -9999) == 819);
    CHECK(std::ranges::count(frame, 1) == 2 * 382 + 817 * 3);
}

TEST_CASE("in every step mass is kept and temperatures stay in range", "[sciara_fv2]") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const ParameterSet set = etna_2001({86400, {{1, {3}}}});
        State state = rough_ground({37, 29}, seed);
        Facts before = facts_of(state);
        for (int n = 0; n < 60; ++n) {
            CAPTURE(seed, n);
            run(state, set, 1, n);
            const Facts facts = facts_of(state);
            CHECK(facts.liquid + facts.solid + state.account[lost_account] ==
                  Approx(state.account[initial_account] + state.account[emitted_account])
                      .epsilon(1e-12));
            CHECK(state.account[emitted_account] == Approx((n + 1) * 3 / 100. * 60).epsilon(1e-12));
            CHECK(facts.coldest > 1143);
            const auto t = state.field(temperature_field).cells<double>();
            CHECK(*std::ranges::max_element(t) <= 1360);
            CHECK(facts.first_row >= before.first_row - 1);
            CHECK(facts.last_row <= before.last_row + 1);
            before = facts;
        }
        CHECK(before.solid > 0);
        CHECK(state.account[lost_account] > 0);
    }
}

TEST_CASE("outflows are never negative, nor more than the relaxed thickness", "[sciara_fv2]") {
    const OutflowParameters p = outflow_parameters(etna_2006());
    for (std::uint64_t i = 0; i < 20000; ++i) {
        double heads[neighbours + 1];
        for (int k = 0; k <= neighbours; ++k) heads[k] = 3000 + 10 * uniform(7, 16 * i + k);
        const double h = 20 * uniform(8, i);
        const double t = 1143 + 217 * uniform(9, i);
        double flows[neighbours];
        outflows(heads, h, t, p, flows);
        double total = 0;
        for (const double flow : flows) {
            REQUIRE(flow >= 0);
            total += flow;
        }
        REQUIRE(total <= p.relaxation.at(t) * h * (1 + 1e-12) + 1e-12);
    }
}

TEST_CASE("looking at the lava alone, and on many threads, gives the same bits", "[sciara_fv2]") {
    for (const Size size : {Size{37, 29}, Size{3, 3}, Size{5, 40}, Size{1, 7}}) {
        CAPTURE(size.columns, size.rows);
        State lava = rough_ground(size, 4);
        // Skips a corner of the board until lava arrives there.
        const auto h = lava.field(thickness_field).cells<double>();
        std::fill(h.begin() + static_cast<std::ptrdiff_t>(h.size() / 2), h.end(), 0.0);
        State board = lava;
        State threads = lava;
        run(lava, etna_2006(), 25);
        run(board, etna_2006(), 25, 0, Coverage::board);
        run(threads, etna_2006(), 25, 0, Coverage::lava, 3);
        CHECK(same(lava, board));
        CHECK(same(lava, threads));
    }
    State slope_lava = slope();
    State slope_board = slope();
    run(slope_lava, etna_2006(), 60);
    run(slope_board, etna_2006(), 60, 0, Coverage::board);
    CHECK(same(slope_lava, slope_board));
}

TEST_CASE("lava reaches one cell further in a step, and nothing else changes", "[sciara_fv2]") {
    const State start = slope();
    State state = start;
    for (int n = 1; n <= 15; ++n) {
        run(state, etna_2006(), 1, n - 1);
        for (int row = 0; row < 32; ++row)
            for (int column = 0; column < 32; ++column) {
                if (std::max(std::abs(row - 8), std::abs(column - 16)) <= n) continue;
                for (const char* field : {thickness_field, temperature_field, solidified_field})
                    REQUIRE(at(state, field, row, column) == 0);
                REQUIRE(at(state, altitude_field, row, column) ==
                        at(start, altitude_field, row, column));
            }
    }
}

TEST_CASE("lava on a symmetric cone stays symmetric", "[sciara_fv2]") {
    constexpr int side = 41, middle = 20;
    std::vector<double> altitude;
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            const double r = row - middle, c = column - middle;
            altitude.push_back(2000 - 4 * std::sqrt(r * r + c * c));
        }
    State state = bare_state({side, side}, altitude, {{1, middle, middle}}, {86400, {{1, {5}}}});
    run(state, etna_2006({86400, {{1, {5}}}}), 12);
    CHECK(facts_of(state).active > 60);
    // The mirrored cell adds its eight contributions in another order.
    const auto equals = [](double value) { return Approx(value).epsilon(1e-9).margin(1e-12); };
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column)
            for (const char* field : {thickness_field, temperature_field}) {
                CAPTURE(field, row, column);
                const double value = at(state, field, row, column);
                REQUIRE(at(state, field, side - 1 - row, column) == equals(value));
                REQUIRE(at(state, field, row, side - 1 - column) == equals(value));
                REQUIRE(at(state, field, column, row) == equals(value));
            }
}

TEST_CASE("lava that cools to the solidus becomes ground", "[sciara_fv2]") {
    State state = slope();
    state.field(thickness_field).cells<double>()[20 * 32 + 5] = 0.0005;
    state.field(temperature_field).cells<double>()[20 * 32 + 5] = 1360;
    run(state, etna_2006(), 1);
    CHECK(at(state, thickness_field, 20, 5) == 0);
    CHECK(at(state, temperature_field, 20, 5) == 1143);
    CHECK(at(state, solidified_field, 20, 5) == 0.0005);
    CHECK(at(state, altitude_field, 20, 5) == 1000 - 40 + 0.0005);
}

TEST_CASE("a vent is hot in every step, also without a rate", "[sciara_fv2]") {
    State state = slope();
    run(state, etna_2006({60, {{1, {0}}}}), 3);
    CHECK(at(state, temperature_field, 8, 16) == 1360);
    CHECK(facts_of(state).active == 0);
    CHECK(state.account[emitted_account] == 0);
}

TEST_CASE("what flows into the frame is lost, and counted", "[sciara_fv2]") {
    // All of the vent's neighbors are on the frame.
    std::vector<double> altitude(9, 100);
    altitude[4] = 200;
    State state = bare_state({3, 3}, altitude, {{1, 1, 1}}, {86400, {{1, {10}}}});
    CHECK(std::ranges::count(state.field(frame_field).cells<std::uint8_t>(), 1) == 8);
    run(state, etna_2006({86400, {{1, {10}}}}), 20);
    CHECK(facts_of(state).active == 1);
    CHECK(state.account[emitted_account] == Approx(240).epsilon(1e-12));
    CHECK(state.account[lost_account] > 200);
    CHECK(state.account[lost_account] + facts_of(state).liquid == Approx(240).epsilon(1e-12));
    // A vent on the frame only adds to the loss.
    State edge =
        bare_state({5, 5}, std::vector<double>(25, 100), {{1, 0, 2}}, {86400, {{1, {10}}}});
    run(edge, etna_2006({86400, {{1, {10}}}}), 2);
    CHECK(facts_of(edge).active == 0);
    CHECK(edge.account[lost_account] == Approx(24).epsilon(1e-12));
    CHECK(at(edge, temperature_field, 0, 2) == 0);
}

TEST_CASE("cells without a known altitude never get lava", "[sciara_fv2]") {
    std::vector<double> altitude(15 * 15);
    for (std::size_t i = 0; i < altitude.size(); ++i)
        altitude[i] = i % 15 >= 10 ? -9999 : 100 - static_cast<double>(i % 15);
    State state = bare_state({15, 15}, altitude, {{1, 7, 7}}, {86400, {{1, {20}}}});
    run(state, etna_2006({86400, {{1, {20}}}}), 40);
    CHECK(facts_of(state).last_column == 8);
    CHECK(state.account[lost_account] > 0);
    CHECK(facts_of(state).liquid + facts_of(state).solid + state.account[lost_account] ==
          Approx(state.account[emitted_account]).epsilon(1e-12));
}

TEST_CASE("the total is summed in a tree of one shape", "[sciara_fv2]") {
    CHECK(tree_sum({}) == 0);
    CHECK(tree_sum(std::vector<double>{3}) == 3);
    // ((a + b) + (c + d)) + e
    const double a = 1, b = 1e-16, c = 1e-16, d = 1, e = 3e-16;
    CHECK(tree_sum(std::vector<double>{a, b, c, d, e}) == ((a + b) + (c + d)) + e);
}

TEST_CASE("a run by the reference rule ends when all three reasons to go on are gone",
          "[sciara_fv2]") {
    // One vent for three slots of ten steps; then the lava must cool.
    const lava::EmissionRates rates{1200, {{1, {3, 2, 1}}}};
    const ParameterSet set = changed(
        etna_2006(rates),
        {{"reference_stop", 1}, {"max_steps", 0}, {"reduce_interval", 7}, {"threshold", 20}});
    State state = slope();
    const int steps = steps_by_rule(state, {.parameters = set});
    CHECK(steps > 30);
    CHECK(steps % 7 == 0);
    run(state, set, steps - 7);
    CHECK((sum(state, thickness_field) > 20 || steps - 7 <= 30));
    run(state, set, 7, steps - 7);
    CHECK(sum(state, thickness_field) <= 20);
    // At least the requested number of steps, counted exactly.
    CHECK(steps_by_rule(slope(), {.parameters = changed(set, {{"max_steps", steps + 3.0}})}) ==
          steps + 3);
    // Before the first sum, the total is unknown.
    CHECK(steps_by_rule(slope(), {.parameters = changed(set, {{"reduce_interval", 100},
                                                              {"threshold", 1e9}})}) == 100);
}

}  // namespace camber::sciara_fv2::reference_test
