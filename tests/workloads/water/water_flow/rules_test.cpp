// Rules of water flow: worked examples, the forms of the minimization, and comparison with the
// reference.
#include "workloads/water/water_flow/rules.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/workloads/core/rule_sequence.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/water/water_flow/reference.hpp"

namespace camber::water_flow::rules_test {
namespace {

State three_by_three(const std::vector<double>& terrain, const std::vector<double>& level,
                     const std::vector<double>& sources) {
    State state = empty_state<double>({3, 3});
    std::ranges::copy(terrain, state.field("terrain").cells<double>().begin());
    std::ranges::copy(level, state.field("level").cells<double>().begin());
    std::ranges::copy(sources, state.field("sources").cells<double>().begin());
    add_scratch<double>(state, {"best_levels"});
    return state;
}

void check(const State& state, const char* field, const std::vector<double>& expected) {
    const auto cells = state.field(field).cells<double>();
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(field, i);
        CHECK(cells[i] == Approx(expected[i]).epsilon(1e-8).margin(1e-12));
    }
}

struct Step {
    std::vector<double> best_levels, levels;
};

template <Minimisation minimisation>
void check_history(State state, const std::vector<Step>& steps) {
    for (const Step& expected : steps) {
        run_rules<BestLevels<double, minimisation>>(state, {});
        check(state, "best_levels", expected.best_levels);
        run_rules<Distribute<double>>(state, {});
        check(state, "level", expected.levels);
    }
}

void check_histories(const State& state, const std::vector<Step>& steps) {
    check_history<Minimisation::network>(state, steps);
    check_history<Minimisation::loop>(state, steps);
    check_history<Minimisation::elimination>(state, steps);
}

double largest_difference(const State& a, const State& b) {
    const auto x = a.field("level").cells<double>();
    const auto y = b.field("level").cells<double>();
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
    return largest;
}

// A field of any size with altitudes of both signs and holes in the ground.
template <class T>
State islands(Size size, std::uint64_t seed) {
    State state = random_state<T>(size, seed);
    const auto terrain = state.field("terrain").template cells<T>();
    const auto level = state.field("level").template cells<T>();
    for (std::size_t i = 0; i < terrain.size(); ++i) {
        terrain[i] -= 5;
        level[i] -= 5;
        if (mix(seed + 9, i) % 16 == 0) terrain[i] = level[i] = outside_level<T>;
    }
    return state;
}

template <class T>
void compare_fused(const Size size) {
    State separate = islands<T>(size, 7), fused = separate;
    add_scratch<T>(separate, {"best_levels"});
    for (int t = 0; t < 20; ++t) {
        run_rules<BestLevels<T>, Distribute<T>>(separate, {});
        run_rules<WaterFlowStep<T>>(fused, {});
        CAPTURE(size.columns, size.rows, t);
        REQUIRE(same_bytes(separate.field("level"), fused.field("level")));
    }
}

}  // namespace

TEST_CASE("the rules spread a drop over flat ground as worked by hand", "[water_flow]") {
    check_histories(
        three_by_three(std::vector<double>(9, 0), {0, 0, 0, 0, 9, 0, 0, 0, 0},
                       std::vector<double>(9, 0)),
        {{{0, 0, 0, 0, 1.8, 0, 0, 0, 0}, {0, 1.8, 0, 1.8, 1.8, 1.8, 0, 1.8, 0}},
         {{0, 0.6, 0, 0.6, 1.8, 0.6, 0, 0.6, 0}, {1.2, 0.6, 1.2, 0.6, 1.8, 0.6, 1.2, 0.6, 1.2}},
         {{0.8, 0.6, 0.8, 0.6, 0.84, 0.6, 0.8, 0.6, 0.8},
          {0.8, 1.24, 0.8, 1.24, 0.84, 1.24, 0.8, 1.24, 0.8}}});
}

TEST_CASE("the rules fill and drain as worked by hand", "[water_flow]") {
    check_histories(three_by_three({3, 2, 1, 2, 1, 0, 1, 0, 0}, {3, 2, 1, 2, 4, 0, 1, 0, 0},
                                   {1, 0, 0, 0, 0, 0, 0, 0, -2}),
                    {{{2, 1, 0, 1, 4. / 3, 0, 0, 0, 0}, {4, 2, 1, 2, 4. / 3, 4. / 3, 1, 4. / 3, 0}},
                     {{2.5, 1, 1, 1, 4. / 3, 2. / 3, 1, 2. / 3, 0},
                      {4, 2.5, 1, 2.5, 4. / 3, 2. / 3, 1, 2. / 3, 0}}});
}

TEST_CASE("the loop shares water out as the network does", "[water_flow]") {
    const double known[] = {0.5, -5, -1, -2, -4, -3};
    double q[5];
    std::copy(known + 1, known + 6, q);
    CHECK(level_by_loop(0.5, q) == -4.5);
    double largest = 0;
    for (std::uint64_t n = 0; n < 200000; ++n) {
        double a[5], b[5];
        for (std::uint64_t i = 0; i < 5; ++i) {
            a[i] = 10 * uniform(131, 6 * n + i) - 5;
            if (n % 3 == 0) a[i] = std::floor(a[i]);
            b[i] = a[i];
        }
        const double water = n % 5 == 0 ? 0 : 20 * uniform(131, 6 * n + 5) * uniform(132, n);
        largest = std::max(largest, std::abs(level_by_loop(water, a) - level_by_sorting(water, b)));
    }
    CHECK(largest < 2e-14);
}

TEST_CASE("all forms of the minimisation follow the reference", "[water_flow]") {
    State exact = islands<double>({48, 31}, 3);
    State network = exact;
    add_scratch<double>(network, {"best_levels"});
    State loop = network, elimination = network, fused = exact;
    for (int t = 0; t < 50; ++t) {
        step<double>(exact);
        run_rules<BestLevels<double, Minimisation::network>, Distribute<double>>(network, {});
        run_rules<BestLevels<double, Minimisation::loop>, Distribute<double>>(loop, {});
        run_rules<BestLevels<double, Minimisation::elimination>, Distribute<double>>(elimination,
                                                                                     {});
        run_rules<WaterFlowStep<double>>(fused, {});
        CAPTURE(t);
        for (const State* other : {&network, &loop, &elimination, &fused})
            REQUIRE(largest_difference(*other, exact) < 1e-11);
    }
}

TEST_CASE("both halves of a step in one give the same bits", "[water_flow]") {
    for (const Size size : {Size{33, 26}, Size{4, 5}, Size{2, 2}, Size{1, 7}, Size{1, 1}}) {
        compare_fused<float>(size);
        compare_fused<double>(size);
    }
}

TEST_CASE("a lake stays as it is", "[water_flow]") {
    State state = empty_state<float>({20, 15});
    for (std::size_t i = 0; i < 300; ++i) {
        state.field("terrain").cells<float>()[i] = static_cast<float>(mix(5, i) % 1024) / 1024;
        state.field("level").cells<float>()[i] = 1;
    }
    const State start = state;
    for (int t = 0; t < 10; ++t) run_rules<WaterFlowStep<float>>(state, {});
    CHECK(same_bytes(state.field("level"), start.field("level")));
}

// Fields for which techniques need not load corner cells.
TEST_CASE("a rule reads no corner that its tag says it does not", "[water_flow]") {
    const auto corners_of = []<class Rule>(Rule) {
        Rule::Inputs::for_each([]<class Tag>(Tag) {
            bool read = false;
            const auto at = [&]<class Other>(Other, int dcol, int drow) {
                if (std::is_same_v<Other, Tag> && dcol != 0 && drow != 0) read = true;
                return typename Other::Type(dcol + 3 * drow);
            };
            Rule::next(at, typename Rule::Parameters{});
            CAPTURE(Tag::field);
            CHECK(read == Tag::corners);
        });
    };
    corners_of(BestLevels<float>{});
    corners_of(Distribute<float>{});
    corners_of(WaterFlowStep<float>{});
}

}  // namespace camber::water_flow::rules_test
