// SCIARA-fv2 on several devices: bit-equal to the reference for any division and exchange, and
// detection of faulty divisions.
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/forgetful_exchange.hpp"
#include "tests/variants/group_runs.hpp"
#include "tests/variants/lava_plans.hpp"
#include "workloads/lava/sciara_fv2/reference.hpp"

namespace camber::sciara_fv2_group_test {
namespace {

using namespace group_runs;

Scene eruption(Size size) {
    return volcano("sciara_fv2", size, ElementType::float64,
                   {"altitude", "thickness", "temperature", "solidified"});
}

constexpr const char* one_kernel = "one_kernel/16x16";
constexpr const char* two_steps = "one_kernel/16x16/n2";

}  // namespace

TEST_CASE("SCIARA-fv2 on several places is SCIARA-fv2 on one", "[sciara_fv2][group]") {
    const Scene scene = eruption({37, 29});
    const Expected expected = expected_after(scene, {1, 2, 7});
    for (const int places : {1, 2, 3, 5, 7})
        for (const Exchange& exchange : exchanges()) {
            check_steps("halo/four_kernels/64x4/align128", scene, choice_of(places, exchange),
                        expected);
            if (!exchange.overlap)
                check_steps(one_kernel, scene, choice_of(places, exchange), expected);
        }
}

TEST_CASE("many kernels of SCIARA-fv2 work on several places", "[sciara_fv2][group]") {
    const Scene scene = eruption({70, 31});
    const Expected expected = expected_after(scene, {4});
    for (const char* name :
         {"halo/four_kernels/16x16/unaligned", "shared_tile/four_kernels/16x16/align128",
          "first_rows/four_kernels/16x16/w18/align128", "packed/four_kernels/64x4/v2/align128",
          "row_stream/four_kernels/64x4/v2/r1/align128", "read_only/four_kernels/64x4/align128",
          "ringless_tile/four_kernels/16x16/align128", "cfame/three_kernels/16x16",
          "cfame/three_kernels/32x8"})
        check_steps(name, scene, choice_of({2, 1, 3}, {ExchangePath::copies, true}), expected);
    for (const ExchangePath path : {ExchangePath::copies, ExchangePath::stores})
        for (const char* name : {one_kernel, two_steps})
            check_steps(name, scene, choice_of({2, 1, 3}, {path, false}), expected);
    // If the arithmetic differs from the reference's, one device's result is the expected one.
    for (const bool overlap : {false, true})
        check_steps("cfamo/three_kernels/16x16", scene,
                    choice_of({2, 1, 3}, {ExchangePath::copies, overlap}),
                    expected_of("cfamo/three_kernels/16x16", scene, {4}));
    for (const char* name : {"one_kernel/short/8x8", "one_kernel/short/24x20/n4"})
        check_steps(name, scene, choice_of({2, 2, 3}, {ExchangePath::copies, false}),
                    expected_of(name, scene, {8}));
}

TEST_CASE("places of SCIARA-fv2 may have few rows, allocate all or exchange seldom",
          "[sciara_fv2][group]") {
    const Scene scene = eruption({37, 17});
    const Expected expected = expected_after(scene, {2, 6});
    for (const Exchange& exchange : exchanges()) {
        // A neighbor needs two rows.
        check_steps("halo/four_kernels/64x4/align128", scene,
                    choice_of({1, 1, 1, 1, 1, 1, 1, 1}, exchange), expected);
        check_steps("halo/four_kernels/64x4/align128", scene, choice_of({2, 9, 2, 4}, exchange),
                    expected);
        GroupChoice whole = choice_of({1, 2}, exchange);
        whole.division.allocation = Allocation::whole;
        whole.division.edge_share = 3;
        check_steps("halo/four_kernels/16x16/align128", scene, whole, expected);
        whole.division.edge_share = 0;
        check_steps("halo/four_kernels/16x16/align128", scene, whole, expected);
        GroupChoice deep = choice_of({2, 1}, exchange);
        deep.division.halo_depth = 2;
        check_steps("halo/four_kernels/64x4/align128", scene, deep, expected);
        if (exchange.overlap) continue;
        check_steps(one_kernel, scene, deep, expected);
        check_steps(one_kernel, scene, choice_of({2, 9, 2, 4}, exchange), expected);
        deep.division.halo_depth = 1;
        check_steps(two_steps, scene, deep, expected_after(scene, {2, 4, 8}));
    }
}

TEST_CASE("lava that comes from another place wakes the tiles of one_kernel",
          "[sciara_fv2][group]") {
    // A vent in the first stripe of a slope, whose lava flows through all others.
    constexpr Size size{32, 60};
    const lava::EmissionRates rates{86400, {{1, {60}}}};
    std::vector<double> altitude;
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column)
            altitude.push_back(1000 - 4.0 * row + 0.5 * std::abs(column - 16));
    const State start = sciara_fv2::bare_state(size, altitude, {{1, 5, 16}}, rates);
    const Scene scene{
        *find_workload("sciara_fv2"),
        {size, Boundary::dead, ElementType::float64, ParameterSet(sciara_fv2::parameters(rates))},
        start,
        {"altitude", "thickness", "temperature", "solidified"}};
    constexpr int steps = 90;
    const State expected = scene.after(steps);
    const auto thickness = expected.field("thickness").cells<double>();
    REQUIRE(std::any_of(thickness.end() - 12 * size.columns, thickness.end(),
                        [](double h) { return h > 0; }));
    for (const char* name : {one_kernel, two_steps})
        for (const int depth : {1, 2}) {
            CAPTURE(name, depth);
            // Nothing is poisoned, so sleeping tiles keep their values.
            simt::HostQueue lead(1);
            GroupChoice choice = choice_of(4, {ExchangePath::copies, false});
            choice.division.halo_depth = depth;
            const auto execution =
                executor_variant(std::string("sciara_fv2/") + name, ElementType::float64)
                    .group_factories.at(Backend::simt)(lead, scene.problem, choice);
            execution->upload(start);
            execution->advance(steps - 2 * depth);
            execution->advance(2 * depth);
            State state = start;
            execution->download(state);
            CHECK(scene.are_same(state, expected));
        }
}

TEST_CASE("steps of SCIARA-fv2 on several places are recorded and replayed",
          "[sciara_fv2][group]") {
    const Scene scene = eruption({37, 29});
    for (const ExchangePath path : {ExchangePath::copies, ExchangePath::stores})
        for (const bool overlap : {false, true}) {
            CAPTURE(name(path), overlap);
            simt::HostQueue lead(1);
            const auto execution =
                executor_variant("sciara_fv2/halo/four_kernels/64x4/align128", ElementType::float64)
                    .group_factories.at(Backend::simt)(lead, scene.problem,
                                                       choice_of(3, {path, overlap}));
            execution->upload(scene.start);
            const auto recording = lead.record([&] { execution->advance(4); });
            recording->replay();
            State state = scene.start;
            execution->download(state);
            CHECK(scene.are_same(state, scene.after(4)));
        }
}

TEST_CASE("a division of SCIARA-fv2 that goes wrong is found out", "[sciara_fv2][group][mutants]") {
    constexpr int steps = 16;
    const Scene scene = eruption({37, 29});
    const State expected = scene.after(steps);
    for (const bool overlap : {false, true}) {
        CAPTURE(overlap);
        const auto is_right = [&](const std::vector<StepPlan>& plans,
                                  const GroupExchange::HaloMaker& make = make_exchange) {
            return group_runs::is_right(plans, scene, overlap, steps, expected, make);
        };
        const auto right = lava_plans::four_kernels_of_sciara_fv2();
        CHECK(is_right(right));
        CHECK_FALSE(is_right(right, forgets<SendsNothing>));
        CHECK_FALSE(is_right(right, forgets<SendsUpOnly>));
        CHECK_FALSE(is_right(right, forgets<SendsDownOnly>));
        CHECK_FALSE(is_right(right, forgets<WaitsForNothing>));
        // Thickness and temperature are exchanged twice per step: rows arrive in the buffer that
        // the first kernels read.
        CHECK_FALSE(is_right(right, forgets<ReleasesAtOnce>));
        for (const char* field : {"altitude", "thickness", "temperature"})
            CHECK_FALSE(is_right(right, forgets_field(field)));
        // Solid lava does not flow: neighbors do not need it in a halo of depth 1.
        CHECK(is_right(right, forgets_field("solidified")));
        // Fault: a device's copy of a vent emits nothing.
        auto silent = lava_plans::four_kernels_of_sciara_fv2();
        silent[0].make = StageMaker(
            [](const StageContext&) -> std::unique_ptr<Stage> {
                struct Silent final : Stage {
                    void enqueue(int) override {}
                };
                return std::make_unique<Silent>();
            },
            0);
        CHECK_FALSE(is_right(silent));
        // Fault: vents emit twice.
        auto twice = lava_plans::four_kernels_of_sciara_fv2();
        twice.insert(twice.begin(), twice.front());
        CHECK_FALSE(is_right(twice));
    }
}

TEST_CASE("what SCIARA-fv2's places cannot do is said", "[sciara_fv2][group]") {
    const Scene scene = eruption({37, 29});
    const auto undivided = [](const std::string& name) {
        return executor_variant("sciara_fv2/" + name, ElementType::float64).undivided;
    };
    CHECK(undivided("global/four_kernels/16x16") ==
          "step outflows in technique global needs the whole board in one place");
    CHECK(undivided("swap_hand_over/five_kernels/16x16") ==
          "step outflows in technique swap_hand_over needs the whole board in one place");
    CHECK(undivided("atomics/five_kernels/16x16") ==
          "step scatter in technique atomics adds in an order that is left to chance, and two "
          "places would not agree on rows that both compute");
    CHECK(undivided("persistent/short/8x8") ==
          "technique persistent needs the whole board in one place");
    simt::HostQueue lead(1);
    const auto make = [&](const GroupChoice& choice) {
        executor_variant(std::string("sciara_fv2/") + one_kernel, ElementType::float64)
            .group_factories.at(Backend::simt)(lead, scene.problem, choice);
    };
    CHECK_THROWS_WITH(make(choice_of(2, {ExchangePath::copies, true})),
                      "computes a step in one launch, and nothing is left to compute while edge "
                      "rows travel: choose no overlap");
    CHECK_THROWS_WITH(make(choice_of(2, {ExchangePath::kernel, true})),
                      "the step's own kernel cannot send edge rows: the technique has no kernel "
                      "that does");
    GroupChoice whole = choice_of(2, {ExchangePath::copies, false});
    whole.division.allocation = Allocation::whole;
    CHECK_THROWS_WITH(make(whole), "computes all rows that a place allocates: choose slabs");
    CHECK_THROWS_WITH(
        make(choice_of(20, {ExchangePath::copies, false})),
        "place 0 of 20 has 1 of the board's 29 rows, and its neighbours need 2 of it");
}

}  // namespace camber::sciara_fv2_group_test
