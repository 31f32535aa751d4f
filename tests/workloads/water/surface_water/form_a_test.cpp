// First form of surface water: worked examples, and comparison with the strict form and with itself
// in another order.
#include "workloads/water/surface_water/reference.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/workloads/water/surface_water/maps.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::surface_water::form_a_test {
namespace {

enum class Release { rate, clock };

// A run of the first form.
template <class T>
class Run {
  public:
    Run(State state, ParameterSet set, Release release, Order order = Order::row_major)
        : state_(std::move(state)), context_{.parameters = std::move(set)}, order_(order) {
        if (release == Release::clock) add_clocks<T>(state_);
    }

    void advance_to(int number) {
        for (; context_.number < number; ++context_.number) {
            State next = state_;
            form_a_generation<T>(state_, next, context_, order_);
            state_ = std::move(next);
        }
    }
    const State& state() const { return state_; }
    std::vector<T> depths_at(int number) {
        advance_to(number);
        return interior<T>(state_, "depth");
    }

  private:
    State state_;
    GenerationContext context_;
    Order order_;
};

}  // namespace

TEST_CASE("nine cells exchange water in the first form as in the second", "[surface_water]") {
    GenerationContext context{.parameters = with_rain(0)};
    State strict = bowl<double>();
    Run<double> run(bowl<double>(), context.parameters, Release::rate);
    for (int t = 1; t <= 100; ++t) {
        step<double>(strict, context);
        run.advance_to(t);
        CHECK(largest_difference<double, double>(strict, run.state()) < 1e-15);
    }
}

TEST_CASE("nine cells with clocks release all mobile water at once", "[surface_water]") {
    Run<double> run(bowl<double>(), with_rain(0), Release::clock);
    const auto near = [](double depth) { return Approx(depth).epsilon(1e-9).margin(1e-15); };
    for (const double depth : run.depths_at(14)) CHECK(depth == 0.027);
    // Cells 0..8: all corners but the last at 15, the edges at 16, the last corner at 19.
    auto depth = run.depths_at(15);
    for (const int corner : {0, 2, 6}) CHECK(depth[corner] == near(0));
    CHECK(depth[1] == near(0.0405));
    CHECK(depth[3] == near(0.0405));
    CHECK(depth[5] == near(0.03375));
    CHECK(depth[7] == near(0.03375));
    CHECK(depth[8] == near(0.027));
    depth = run.depths_at(16);
    for (const int released : {0, 1, 2, 3, 6}) CHECK(depth[released] == near(0));
    // The two lower cells received a little water from those beside them.
    for (const int edge : {5, 7}) CHECK(depth[edge] == Approx(0.000279).epsilon(1e-3));
    CHECK(run.depths_at(18)[8] == near(0.027));
    CHECK(run.depths_at(19)[8] == near(0));
    depth = run.depths_at(23);
    CHECK(depth[4] == near(0.2304153395));
    for (const int edge : {5, 7}) CHECK(depth[edge] == near(0.006292330259));
    for (const int dry : {0, 1, 2, 3, 6, 8}) CHECK(depth[dry] == near(0));
    CHECK(water<double>(run.state()) == Approx(0.243).epsilon(1e-12));
}

TEST_CASE("a cell above another releases by rate and by clock as worked by hand",
          "[surface_water]") {
    const State start = map_of<double>(2, {0.4, 0}, {0.125, 0});
    Run<double> rate(start, with_rain(0), Release::rate);
    CHECK(rate.depths_at(1)[1] == Approx(0.01432054905).epsilon(1e-7));
    CHECK(rate.depths_at(1)[0] == Approx(0.125 - 0.01432054905).epsilon(1e-7));
    CHECK(rate.state().account.at(courant_account) == Approx(0.1145643924).epsilon(1e-7));
    Drops<double> drops;
    drops.add(drop(0.4, 0.125, 0.0, 0.0), false);
    const auto flow = flow_parameters<double>(with_rain(0));
    CHECK(drops.slope(flow) == Approx(0.0525).epsilon(1e-12));
    CHECK(velocity(0.125, drops, flow) == Approx(1.145643924).epsilon(1e-7));
    Run<double> clock(start, with_rain(0), Release::clock);
    CHECK(clock.depths_at(8) == std::vector<double>{0.125, 0});
    CHECK(clock.depths_at(9) == std::vector<double>{0, 0.125});
}

TEST_CASE("both forms, in both orders, agree on the valley up to rounding",
          "[surface_water][slow]") {
    struct Instant {
        int t;
        double strict_difference, order_difference;
    };
    // Results of an independent program.
    const Instant instants[] = {{1, 4.6e-13, 4.6e-13},
                                {10, 2.9e-11, 7.3e-12},
                                {100, 7.0e-10, 1.2e-10},
                                {250, 2.8e-9, 9.3e-10},
                                {500, 1.9e-8, 7.5e-9}};
    const Size size{463, 358};
    const ParameterSet set(parameters());
    GenerationContext context{.parameters = set};
    State strict = valley<float>(size);
    Run<float> forward(valley<float>(size), set, Release::rate);
    Run<float> backward(valley<float>(size), set, Release::rate, Order::reversed);
    for (const Instant& expected : instants) {
        while (context.number < expected.t) step<float>(strict, context);
        forward.advance_to(expected.t);
        backward.advance_to(expected.t);
        CAPTURE(expected.t);
        const double between_forms = largest_difference<float, float>(strict, forward.state());
        CHECK(between_forms < 2 * expected.strict_difference);
        CHECK(between_forms > expected.strict_difference / 2);
        const double between_orders =
            largest_difference<float, float>(forward.state(), backward.state());
        CHECK(between_orders < 2 * expected.order_difference);
        // One unit in the last place of the deepest cells: 2^-28 m or, in that program, 2^-27.
        CHECK(between_orders > expected.order_difference / 2.1);
    }
}

// The reference gathers what five passes scatter, in the same order.
TEST_CASE("the reference with clocks equals the five passes bit by bit", "[surface_water]") {
    const auto compare = [&]<class T>(T) {
        const ParameterSet set(parameters());
        Run<T> passes(valley<T>({80, 48}), set, Release::clock);
        State state = valley<T>({80, 48});
        add_clocks<T>(state);
        GenerationContext context{.parameters = set, .threads = 3};
        int released = 0;
        while (context.number < 400) {
            step<T>(state, context);
            passes.advance_to(context.number);
            for (const char* field : {"depth", "clock"}) {
                CAPTURE(field, context.number);
                REQUIRE(std::ranges::equal(state.field(field).template cells<T>(),
                                           passes.state().field(field).template cells<T>()));
            }
            released += static_cast<int>(
                std::ranges::count(state.field("clock").template cells<T>(), static_cast<T>(0)));
        }
        CHECK(released > 0);
        for (const char* entry : {rained_account, infiltrated_account, lost_account, gained_account})
            CHECK(state.account.at(entry) ==
                  Approx(passes.state().account.at(entry)).epsilon(1e-12));
    };
    compare(float{});
    compare(double{});
}

TEST_CASE("clocks delay the run-off of the valley, and rounding shifts a release in few cells",
          "[surface_water][slow]") {
    const ParameterSet set(parameters());
    Run<float> rounded(valley<float>({463, 358}), set, Release::clock);
    Run<double> exact(valley<double>({463, 358}), set, Release::clock);
    rounded.advance_to(500);
    exact.advance_to(500);
    CHECK(water<double>(exact.state()) == Approx(211.360796).epsilon(1e-8));
    CHECK(deepest<double>(exact.state()) == Approx(0.340107).epsilon(1e-5));
    const auto clocks = rounded.state().field("clock").cells<float>();
    const auto exact_clocks = exact.state().field("clock").cells<double>();
    const auto depths = rounded.state().field("depth").cells<float>();
    const auto exact_depths = exact.state().field("depth").cells<double>();
    int shifted = 0, moved = 0;
    for (std::size_t i = 0; i < clocks.size(); ++i) {
        shifted += clocks[i] != static_cast<float>(exact_clocks[i]);
        moved += std::abs(depths[i] - exact_depths[i]) > 1e-6;
    }
    CHECK(shifted == 164);
    CHECK(moved == 269);
    const Tolerance tolerance = find_workload("surface_water_clock")
                                    ->tolerance({.cell = ElementType::float32, .generations = 500});
    CHECK(tolerance.outliers == Approx(7 * 269.0 / 129117).epsilon(0.05));
    CHECK(water<float>(rounded.state()) ==
          Approx(water<double>(exact.state())).epsilon(tolerance.total));
    Run<float> small(valley<float>({64, 64}), set, Release::clock);
    small.advance_to(500);
    CHECK(water<float>(small.state()) == Approx(small.state().account.at(rained_account) -
                                                small.state().account.at(infiltrated_account))
                                             .epsilon(1e-4));
}

}  // namespace camber::surface_water::form_a_test
