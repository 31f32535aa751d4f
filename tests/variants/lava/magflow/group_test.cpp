// MAGFLOW on several devices: bit-equal to the reference for any division and exchange, and
// detection of faulty divisions.
#include <memory>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/registry/forgetful_exchange.hpp"
#include "tests/variants/group_runs.hpp"
#include "tests/workloads/lava/magflow/cases.hpp"
#include "variants/lava/magflow/pipelines.hpp"
#include "workloads/lava/start.hpp"

namespace camber::magflow_group_test {
namespace {

using namespace group_runs;

// A cone of rough ground with lava on half of its cells, so that lava crosses every edge in both
// directions; one vent is on the summit, in the middle row, which with two devices is next to an
// edge. The rates change during the steps. The time is the sum of all step lengths.
Scene eruption(Size size, ElementType cell = ElementType::float32) {
    return {*find_workload("magflow"),
            {size, Boundary::dead, cell,
             magflow::changed(magflow::etna(lava::volcano_rates()),
                              {{"linear_rates", 1}, {"slot_length", 1}, {"dt_max", 3}})},
            magflow::initial_state(lava::volcano(size, 3, 0.5), cell, magflow::capacity),
            {"thickness", "solidified", "heat", "temperature", "time"}};
}

const Variant& variant_named(const std::string& name) {
    return executor_variant("magflow/" + name, ElementType::float32);
}

}  // namespace

TEST_CASE("MAGFLOW on several places is MAGFLOW on one", "[magflow][group]") {
    const Scene scene = eruption({37, 27});
    REQUIRE(magflow::at<std::uint8_t>(scene.start, "vents", 13, 18) != 0);
    const auto expected = expected_after(scene, {1, 2, 7});
    for (int places = 1; places <= 5; ++places)
        for (const Exchange& exchange : exchanges())
            for (const char* name :
                 {"halo/four_kernels/64x1/align128", "fused_minimum/three_kernels/64x4/align128"})
                check_steps(name, scene, choice_of(places, exchange), expected);
}

TEST_CASE("many kernels of MAGFLOW work on several places", "[magflow][group]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64}) {
        const Scene scene = eruption({70, 31}, cell);
        const auto expected = expected_after(scene, {4});
        for (const char* name :
             {"halo/four_kernels/64x3/align128", "shared_tile/four_kernels/64x4/align128",
              "read_only/four_kernels/64x4/align128", "half_stencil/four_kernels/64x3/align128",
              "half_stencil/three_kernels/8x8/align128",
              "fused_minimum/three_kernels/16x16/align128"})
            check_steps(name, scene, choice_of({2, 1, 3}, {ExchangePath::copies, true}), expected);
    }
    const Scene scene = eruption({70, 31});
    check_steps("tile_gather/four_kernels/16x16/align128", scene,
                choice_of({1, 1}, {ExchangePath::stores, true}), expected_after(scene, {4}));
}

TEST_CASE("places of MAGFLOW may have few rows, or allocate all", "[magflow][group]") {
    const Scene scene = eruption({37, 15});
    const auto expected = expected_after(scene, {1, 6});
    for (const Exchange& exchange : exchanges()) {
        check_steps("halo/four_kernels/64x3/align128", scene, choice_of({1, 1, 1, 1, 1}, exchange),
                    expected);
        check_steps("fused_minimum/three_kernels/64x1/align128", scene,
                    choice_of({1, 9, 1, 4}, exchange), expected);
        GroupChoice whole = choice_of({1, 2}, exchange);
        whole.division.allocation = Allocation::whole;
        whole.division.edge_share = 3;
        check_steps("halo/four_kernels/64x1/align128", scene, whole, expected);
    }
}

namespace {

struct RowBlocks {
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(Halo::info, Halo::variant<Rule>({64, 1}, 128));
    }
};

// Erupt, CalcFlux, the minimum, Update.
std::vector<StepPlan> four_kernels() {
    using R = float;
    const StepPlan flux = magflow::flux_choices<R, true, TechniqueList<RowBlocks>>().front();
    return {magflow::erupt_plan<R>(flux), flux, magflow::minimum_plan<R>(flux),
            magflow::update_plan<R>(flux)};
}

}  // namespace

TEST_CASE("rows of MAGFLOW may change their place between any two steps",
          "[magflow][group][balance]") {
    const Scene scene = eruption({37, 27});
    constexpr int steps = 12;
    const State expected = scene.after(steps);
    for (const Exchange& exchange : exchanges())
        for (const BalanceRule rule : balance_rules) {
            CAPTURE(name(exchange.path), exchange.overlap, name(rule));
            simt::HostQueue lead(1);
            GroupChoice choice = choice_of({3, 1, 2}, exchange);
            choice.division.allocation = Allocation::whole;
            choice.division.balancing = {rule, 1, 1};
            // First the lowest device is slow, then the one above.
            struct Changing final : RowPartition {
                using RowPartition::RowPartition;
                std::vector<double> loads(const std::vector<Rows>&,
                                          const std::vector<double>&) override {
                    return looks++ < steps / 2 ? std::vector{1.0, 2.0, 6.0}
                                               : std::vector{1.0, 8.0, 2.0};
                }
                int looks = 0;
            };
            const auto pipeline =
                divide<Changing>(std::make_unique<Group>(lead, choice.devices), exchange,
                                 scene.problem, four_kernels(), choice.division);
            pipeline->upload(scene.start);
            pipeline->advance(steps);
            State state = scene.start;
            pipeline->download(state);
            CHECK(scene.are_same(state, expected));
            CHECK(pipeline->divided()->moved_rows >= steps / 2);
        }
}

TEST_CASE("steps of MAGFLOW on several places are recorded and replayed", "[magflow][group]") {
    const Scene scene = eruption({37, 27});
    const State expected = scene.after(7);
    for (const ExchangePath path : {ExchangePath::copies, ExchangePath::stores})
        for (const bool overlap : {false, true}) {
            CAPTURE(name(path), overlap);
            simt::HostQueue lead(1);
            const auto execution =
                variant_named("halo/four_kernels/64x1/align128")
                    .group_factories.at(Backend::simt)(lead, scene.problem,
                                                       choice_of({1, 1, 1}, {path, overlap}));
            execution->upload(scene.start);
            execution->advance(1);
            const auto recording = lead.record([&] { execution->advance(3); });
            recording->replay();
            recording->replay();
            State state = scene.start;
            execution->download(state);
            CHECK(scene.are_same(state, expected));
        }
}

TEST_CASE("a division of MAGFLOW that goes wrong is found out", "[magflow][group][mutants]") {
    constexpr int steps = 16;
    const Scene scene = eruption({37, 27});
    const State expected = scene.after(steps);
    for (const bool overlap : {false, true}) {
        CAPTURE(overlap);
        const auto is_right = [&](const std::vector<StepPlan>& plans,
                                  const GroupExchange::HaloMaker& make = make_exchange) {
            return group_runs::is_right(plans, scene, overlap, steps, expected, make);
        };
        const auto with = [](const auto& change) {
            std::vector<StepPlan> plans = four_kernels();
            change(plans[0].sharing, plans[1].sharing, plans[2].sharing, plans[3].sharing);
            return plans;
        };
        const auto right = four_kernels();
        CHECK(is_right(right));
        // Neighbors' rows are not updated, on both sides or on one.
        CHECK_FALSE(is_right(right, forgets<SendsNothing>));
        CHECK_FALSE(is_right(right, forgets<SendsUpOnly>));
        CHECK_FALSE(is_right(right, forgets<SendsDownOnly>));
        // Rows are overwritten while the previous ones are still needed.
        CHECK_FALSE(is_right(right, forgets<ReleasesAtOnce>));
        // Lava is sent without its heat.
        CHECK_FALSE(
            is_right(with([](auto&, auto& flux, auto&, auto&) { flux.sent = {"volume_flux"}; })));
        // The minimum includes rows whose limits are unknown.
        CHECK_FALSE(is_right(with([](auto&, auto&, auto& minimum, auto&) { minimum.beyond = 1; })));
        // Every device uses its own step length.
        CHECK_FALSE(
            is_right(with([](auto&, auto&, auto& minimum, auto&) { minimum.least.clear(); })));
        // Copies of the neighbors' rows are not updated.
        CHECK_FALSE(is_right(with([](auto&, auto&, auto&, auto& update) { update.beyond = 0; })));
        // Fluxes are received from the device with the vent, so an additional eruption elsewhere
        // adds no lava.
        CHECK(is_right(with([](auto& erupt, auto&, auto&, auto&) { erupt.beyond = 1; })));
    }
}

TEST_CASE("what MAGFLOW's places cannot do is said", "[magflow][group]") {
    const Scene scene = eruption({37, 27});
    simt::HostQueue lead(1);
    GroupChoice choice = choice_of({1, 1}, {});
    choice.division.halo_depth = 2;
    const Variant& variant = variant_named("halo/four_kernels/64x1/align128");
    CHECK_THROWS_WITH(
        variant.group_factories.at(Backend::simt)(lead, scene.problem, choice),
        "a halo of 2 generations is too deep: the places share step flux of every generation");
    CHECK(variant_named("library_minimum/four_kernels/64x4/align128").undivided ==
          "step minimum in technique library_minimum needs the whole board in one place");
}

}  // namespace camber::magflow_group_test
