// Reference of surface water compared with histories computed by an independent program.
#include <bit>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/workloads/core/rule_sequence.hpp"
#include "tests/workloads/water/surface_water/maps.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/water/surface_water/rules.hpp"

namespace camber::surface_water::history_test {
namespace {

std::uint64_t hash(const std::vector<float>& values) {
    Checksum checksum;
    for (const float value : values)
        for (int byte = 0; byte < 4; ++byte)
            checksum.add(std::bit_cast<std::uint32_t>(value) >> 8 * byte);
    return checksum.value();
}

void check_depths(const State& state, const std::vector<double>& expected) {
    const auto depth = interior<double>(state, "depth");
    REQUIRE(depth.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(i);
        CHECK(depth[i] == Approx(expected[i]).epsilon(1e-6));
    }
}

}  // namespace

TEST_CASE("nine cells release water as worked by hand", "[surface_water]") {
    State state = bowl<double>();
    const GenerationContext context{.parameters = with_rain(0)};
    const auto flow = flow_parameters<double>(context.parameters);
    Surroundings<double, 2> around;
    const auto terrain = state.field("terrain").cells<double>();
    const auto depth = state.field("depth").cells<double>();
    each_cell<2>([&](int dcol, int drow) {
        const std::size_t i = static_cast<std::size_t>(2 + drow) * 5 + 2 + dcol;
        around.terrain(dcol, drow) = terrain[i];
        around.depth(dcol, drow) = depth[i];
    });
    struct Cell {
        int dcol, drow;
        double slope, velocity, discharge, per_drop;
    };
    const Cell cells[] = {
        {-1, -1, 0.1414213562, 0.6769085568, 0.001827653103, 0.0004569132758},
        {0, -1, 0.1, 0.5692099788, 0.001536866943, 0.001536866943},
        {0, 0, 0, 0, 0, 0},
        {1, 0, 0.1, 0.5692099788, 0.001536866943, 0.001536866943},
        {1, 1, 0.1060660172, 0.5862200062, 0.001582794017, 0.0006331176067},
    };
    add_scratch<double>(state, {"discharge", "outflow_per_drop"});
    run_rules<Outflow<double>>(state, context);
    for (const Cell& cell : cells) {
        CAPTURE(cell.dcol, cell.drow);
        const Drops<double> drops = around.drops(cell.dcol, cell.drow);
        CHECK(drops.slope(flow) == Approx(cell.slope).epsilon(1e-6));
        CHECK(velocity(0.027, drops, flow) == Approx(cell.velocity).epsilon(1e-6));
        const std::size_t i = static_cast<std::size_t>(2 + cell.drow) * 5 + 2 + cell.dcol;
        CHECK(state.field("discharge").cells<double>()[i] == Approx(cell.discharge).epsilon(1e-6));
        CHECK(state.field("outflow_per_drop").cells<double>()[i] ==
              Approx(cell.per_drop).epsilon(1e-6));
    }
}

TEST_CASE("nine cells exchange water as worked by hand", "[surface_water]") {
    GenerationContext context{.parameters = with_rain(0)};
    State state = bowl<double>();
    step<double>(state, context);
    check_depths(state, {0.0251723469, 0.02637695961, 0.0251723469,  //
                         0.02637695961, 0.03683862384, 0.02623660514, 0.0251723469, 0.02623660514,
                         0.02541720598});
    CHECK(water<double>(state) == Approx(0.243).epsilon(1e-12));
    step<double>(state, context);
    check_depths(state, {0.02355094759, 0.02571906442, 0.02355094759,  //
                         0.02571906442, 0.04597359574, 0.02547197959, 0.02355094759, 0.02547197959,
                         0.02399147345});
    CHECK(water<double>(state) == Approx(0.243).epsilon(1e-12));
    for (int t = 2; t < 100; ++t) {
        step<double>(state, context);
        CHECK(water<double>(state) == Approx(0.243).epsilon(1e-12));
    }
}

TEST_CASE("it rains and seeps away before water flows", "[surface_water]") {
    GenerationContext context{.parameters = with_rain(0.001)};
    State state = bowl<double>();
    for (double& rate : state.field("infiltration").cells<double>())
        if (rate == 0) rate = 0.0004;
    State weathered = state;
    run_rules<Rain<double>, Infiltration<double>>(weathered, context);
    for (const double depth : interior<double>(weathered, "depth"))
        CHECK(depth == Approx(0.0276).epsilon(1e-7));
    step<double>(state, context);
    const auto depth = interior<double>(state, "depth");
    CHECK(depth[4] == Approx(0.03780570991).epsilon(1e-6));
    CHECK(depth[0] == Approx(0.02570415586).epsilon(1e-6));
    CHECK(water<double>(state) == Approx(0.2484).epsilon(1e-7));
    CHECK(state.account.at(rained_account) == Approx(0.009).epsilon(1e-7));
    CHECK(state.account.at(infiltrated_account) == Approx(0.0036).epsilon(1e-7));
}

TEST_CASE("no more seeps away than there is, and rain ceases", "[surface_water]") {
    GenerationContext context{.parameters = with_rain(0.25, 2)};
    State state = map_of<double>(1, {7}, {0});
    state.field("infiltration").cells<double>()[4] = 0.125;
    std::vector<double> depths;
    for (int t = 0; t < 5; ++t) {
        step<double>(state, context);
        depths.push_back(interior<double>(state, "depth")[0]);
    }
    CHECK(depths == std::vector<double>{0.125, 0.25, 0.125, 0, 0});
    CHECK(state.account.at(rained_account) == 0.5);
    CHECK(state.account.at(infiltrated_account) == 0.5);
}

TEST_CASE("the valley's ground is the benchmark's", "[surface_water]") {
    const auto z = interior<float>(valley<float>({463, 358}), "terrain");
    CHECK(z[0] == 1902.61914f);
    CHECK(hash(z) == 0x27b997fb15241fbb);
    double sum = 0;
    for (const float altitude : z) sum += altitude;
    CHECK(sum == Approx(303849864.210205).epsilon(1e-14));

    const auto small = interior<float>(valley<float>({64, 64}), "terrain");
    CHECK(small[0] == 1843.66003f);
    CHECK(hash(small) == 0x4bea1f7ed7a294ae);
    CHECK(hash(interior<float>(valley<float>({64, 64}, 2), "terrain")) != 0x4bea1f7ed7a294ae);
}

TEST_CASE("a storm over the valley, 463x358 cells", "[surface_water][slow]") {
    struct Instant {
        int t;
        double water, deepest, courant, float_difference;
    };
    const Instant instants[] = {
        {1, 0.979767232187, 6.39277935e-6, 2.051e-4, 6.2e-13},
        {10, 9.79767232187, 6.46603562e-5, 9.512e-4, 2.5e-11},
        {100, 97.9767232187, 9.91595668e-4, 4.317e-3, 1.5e-9},
        {250, 244.941808047, 7.28282459e-3, 8.75e-3, 1.2e-8},
        {500, 204.960001815, 3.96552914e-2, 1.153e-2, 2.5e-7},
    };
    GenerationContext context{.parameters = ParameterSet(parameters())};
    GenerationContext float_context = context;
    State state = valley<double>({463, 358});
    State rounded = valley<float>({463, 358});
    for (const Instant& expected : instants) {
        while (context.number < expected.t) {
            step<double>(state, context);
            step<float>(rounded, float_context);
        }
        CAPTURE(expected.t);
        CHECK(water<double>(state) == Approx(expected.water).epsilon(1e-11));
        CHECK(water<double>(state) ==
              Approx(state.account.at(rained_account) - state.account.at(infiltrated_account))
                  .epsilon(1e-11));
        CHECK(deepest<double>(state) == Approx(expected.deepest).epsilon(1e-8));
        CHECK(state.account.at(courant_account) == Approx(expected.courant).epsilon(5e-4));
        // Half more than an independent program found: another cbrtf rounds differently.
        const double difference = largest_difference<float, double>(rounded, state);
        CHECK(difference < 1.5 * expected.float_difference);
        CHECK(difference > expected.float_difference / 1.5);
        CHECK(water<float>(rounded) == Approx(water<double>(state)).epsilon(1e-4));
    }
    CHECK(state.account.at(rained_account) == Approx(284.923614279).epsilon(1e-11));
    CHECK(state.account.at(infiltrated_account) == Approx(79.963612464).epsilon(1e-10));
}

TEST_CASE("a storm over the valley, 64x64 cells", "[surface_water]") {
    const std::pair<int, double> instants[] = {{1, 0.0229497224556},
                                               {10, 0.229497224556},
                                               {100, 2.29497224556},
                                               {250, 5.73743061391},
                                               {500, 4.8012500425}};
    GenerationContext context{.parameters = ParameterSet(parameters())};
    State state = valley<double>({64, 64});
    for (const auto& [t, mass] : instants) {
        while (context.number < t) {
            step<double>(state, context);
            REQUIRE(water<double>(state) ==
                    Approx(state.account.at(rained_account) - state.account.at(infiltrated_account))
                        .epsilon(1e-11));
        }
        CAPTURE(t);
        CHECK(water<double>(state) == Approx(mass).epsilon(1e-11));
    }
    CHECK(deepest<double>(state) == Approx(0.0291202593).epsilon(1e-8));
}

}  // namespace camber::surface_water::history_test
