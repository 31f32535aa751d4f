// SCIARA-fv3 on several devices: bit-equal to the reference, including the duration of every step,
// for any division and exchange; and detection of faulty divisions.
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/registry/forgetful_exchange.hpp"
#include "tests/variants/group_runs.hpp"
#include "tests/variants/lava_plans.hpp"

namespace camber::sciara_fv3_group_test {
namespace {

using namespace group_runs;

// The clock contains the step's duration and the sum of all durations.
Scene eruption(Size size, ElementType cell = ElementType::float64) {
    return volcano("sciara_fv3", size, cell,
                   {"altitude", "thickness", "temperature", "solidified", "momentum_x",
                    "momentum_y", "clock"});
}

}  // namespace

TEST_CASE("SCIARA-fv3 on several places is SCIARA-fv3 on one", "[sciara_fv3][group]") {
    const Scene scene = eruption({37, 29});
    const Expected expected = expected_after(scene, {1, 2, 7});
    REQUIRE(expected[0].second.field("clock").cells<double>()[0] !=
            expected[1].second.field("clock").cells<double>()[0]);
    for (const int places : {1, 2, 3, 5, 7})
        for (const Exchange& exchange : exchanges())
            check_steps("halo/six_kernels/64x4/align128", scene, choice_of(places, exchange),
                        expected);
}

TEST_CASE("many kernels of SCIARA-fv3 work on several places", "[sciara_fv3][group]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64}) {
        const Scene scene = eruption({70, 31}, cell);
        const Expected expected = expected_after(scene, {4});
        for (const char* name :
             {"halo/six_kernels/16x16/unaligned", "shared_tile/six_kernels/16x16/align128",
              "read_only/six_kernels/64x4/align128"})
            check_steps(name, scene, choice_of({2, 1, 3}, {ExchangePath::copies, true}), expected);
        check_steps("halo/six_kernels/32x8/align128", scene,
                    choice_of({1, 1}, {ExchangePath::stores, true}), expected);
    }
}

TEST_CASE("places of SCIARA-fv3 may have few rows, allocate all or exchange seldom",
          "[sciara_fv3][group]") {
    const Scene scene = eruption({37, 15});
    const Expected expected = expected_after(scene, {2, 6});
    for (const Exchange& exchange : exchanges()) {
        // A neighbor needs two rows: the clock's candidates belong to own cells.
        check_steps("halo/six_kernels/64x4/align128", scene,
                    choice_of({1, 1, 1, 1, 1, 1, 1}, exchange), expected);
        check_steps("halo/six_kernels/64x4/align128", scene, choice_of({2, 7, 2, 4}, exchange),
                    expected);
        GroupChoice whole = choice_of({1, 2}, exchange);
        whole.division.allocation = Allocation::whole;
        whole.division.edge_share = 0;
        check_steps("halo/six_kernels/16x16/align128", scene, whole, expected);
        GroupChoice deep = choice_of({2, 1}, exchange);
        deep.division.halo_depth = 2;
        check_steps("halo/six_kernels/64x4/align128", scene, deep, expected);
    }
}

TEST_CASE("steps of SCIARA-fv3 on several places are recorded and replayed",
          "[sciara_fv3][group]") {
    const Scene scene = eruption({37, 29});
    const State expected = scene.after(7);
    for (const ExchangePath path : {ExchangePath::copies, ExchangePath::stores})
        for (const bool overlap : {false, true}) {
            CAPTURE(name(path), overlap);
            simt::HostQueue lead(1);
            const auto execution =
                executor_variant("sciara_fv3/halo/six_kernels/64x4/align128", ElementType::float64)
                    .group_factories.at(Backend::simt)(lead, scene.problem,
                                                       choice_of(3, {path, overlap}));
            execution->upload(scene.start);
            execution->advance(1);
            const auto recording = lead.record([&] { execution->advance(2); });
            for (int replays = 0; replays < 3; ++replays) recording->replay();
            State state = scene.start;
            execution->download(state);
            CHECK(scene.are_same(state, expected));
        }
}

TEST_CASE("a division of SCIARA-fv3 that goes wrong is found out", "[sciara_fv3][group][mutants]") {
    constexpr int steps = 16;
    const Scene scene = eruption({37, 29});
    const State expected = scene.after(steps);
    for (const bool overlap : {false, true}) {
        CAPTURE(overlap);
        const auto is_right = [&](const std::vector<StepPlan>& plans,
                                  const GroupExchange::HaloMaker& make = make_exchange) {
            return group_runs::is_right(plans, scene, overlap, steps, expected, make);
        };
        const auto right = lava_plans::six_kernels_of_sciara_fv3();
        CHECK(is_right(right));
        CHECK_FALSE(is_right(right, forgets<SendsNothing>));
        CHECK_FALSE(is_right(right, forgets<SendsUpOnly>));
        CHECK_FALSE(is_right(right, forgets<SendsDownOnly>));
        CHECK_FALSE(is_right(right, forgets<ReleasesAtOnce>));
        for (const char* field :
             {"altitude", "thickness", "temperature", "momentum_x", "momentum_y"})
            CHECK_FALSE(is_right(right, forgets_field(field)));
        // Fault: every device uses its own step length.
        auto own_steps = lava_plans::six_kernels_of_sciara_fv3();
        own_steps[2].sharing.least.clear();
        CHECK_FALSE(is_right(own_steps));
        // Fault: vents emit twice.
        auto twice = lava_plans::six_kernels_of_sciara_fv3();
        twice.insert(twice.begin(), twice.front());
        CHECK_FALSE(is_right(twice));
    }
}

TEST_CASE("what SCIARA-fv3's places cannot do is said", "[sciara_fv3][group]") {
    const auto undivided = [](const std::string& name) {
        return executor_variant("sciara_fv3/" + name, ElementType::float64).undivided;
    };
    CHECK(undivided("global/six_kernels/16x16") ==
          "step candidates in technique global needs the whole board in one place");
    CHECK(undivided("fused_minimum/16x16") ==
          "step candidates in technique fused_minimum needs the whole board in one place");
    CHECK(undivided("atomics/16x16") ==
          "step scatter in technique atomics adds in an order that is left to chance, and two "
          "places would not agree on rows that both compute");
}

}  // namespace camber::sciara_fv3_group_test
