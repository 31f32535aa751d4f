// MAGFLOW on several places: bit by bit what the reference computes, whatever the division and the
// exchange; and faults of a division that show.
#include <algorithm>
#include <string>
#include <vector>

#include "harness/base/unsupported.hpp"
#include "harness/registry/group_pipeline.hpp"
#include "harness/registry/registry.hpp"
#include "harness/simt/host_queue.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/forgetful_exchange.hpp"
#include "tests/workloads/magflow/cases.hpp"
#include "variants/magflow/pipelines.hpp"
#include "workloads/lava/volcano.hpp"

namespace camber::magflow_group_test {
namespace {

// A cone of rough ground with lava on half of its cells, so that lava crosses every edge both ways;
// a vent on the summit, in the middle row, which is next to an edge where places are two. The rates
// change while the steps last.
struct Eruption {
    explicit Eruption(Size size, ElementType cell = ElementType::float32)
        : problem{size, Boundary::dead, cell,
                  magflow::changed(magflow::etna(lava::volcano_rates()),
                                   {{"linear_rates", 1}, {"slot_length", 1}, {"dt_max", 3}})},
          start(magflow::initial_state(lava::volcano(size, 3, 0.5), cell, magflow::capacity)) {}

    State after(int steps) const {
        State state = start;
        magflow::run(state, problem.parameters, steps);
        return state;
    }

    Problem problem;
    State start;
};

constexpr const char* carried[] = {"thickness", "solidified", "heat", "temperature", "time"};

// Bit by bit. The time is the sum of all steps' lengths.
bool are_same(const State& a, const State& b) {
    return std::ranges::all_of(carried, [&](const char* field) {
        return std::ranges::equal(a.field(field).bytes(), b.field(field).bytes());
    });
}

const Variant& variant_named(const std::string& name, ElementType cell) {
    for (const Variant& variant : registry().variants())
        if (variant.info.name() == "magflow/" + name && variant.info.cell == cell &&
            variant.factories.contains(Backend::simt))
            return variant;
    throw std::logic_error("no variant " + name);
}

// Every way but that of everything, which overlaps nothing.
std::vector<Exchange> exchanges() {
    std::vector<Exchange> all{{ExchangePath::everything, false}};
    for (const ExchangePath path : exchange_paths)
        if (path != ExchangePath::everything && path != ExchangePath::kernel &&
            path != ExchangePath::nccl)
            for (const bool overlap : {false, true}) all.push_back({path, overlap});
    return all;
}

GroupChoice choice_of(std::vector<int> weights, const Exchange& exchange) {
    GroupChoice choice;
    choice.devices.assign(weights.size(), 0);
    choice.division.weights = std::move(weights);
    choice.exchange = exchange;
    return choice;
}

// The state after each of some numbers of steps, with its outputs poisoned before the last ones.
void check_steps(const std::string& name, const Eruption& eruption, const GroupChoice& choice,
                 const std::vector<std::pair<int, State>>& expected) {
    CAPTURE(name, choice.places(), camber::name(choice.exchange.path), choice.exchange.overlap);
    simt::HostQueue lead(1);
    const Variant& variant = variant_named(name, eruption.problem.cell);
    const auto execution =
        variant.group_factories.at(Backend::simt)(lead, eruption.problem, choice);
    execution->upload(eruption.start);
    State state = eruption.start;
    int done = 0;
    for (const auto& [steps, right] : expected) {
        CAPTURE(steps);
        if (done > 0) execution->poison();
        execution->advance(steps - done);
        done = steps;
        execution->download(state);
        CHECK(are_same(state, right));
    }
}

std::vector<std::pair<int, State>> expected_after(const Eruption& eruption,
                                                  const std::vector<int>& steps) {
    std::vector<std::pair<int, State>> expected;
    for (const int n : steps) expected.emplace_back(n, eruption.after(n));
    return expected;
}

}  // namespace

TEST_CASE("MAGFLOW on several places is MAGFLOW on one", "[magflow][group]") {
    const Eruption eruption({37, 27});
    REQUIRE(magflow::at<std::uint8_t>(eruption.start, "vents", 13, 18) != 0);
    const auto expected = expected_after(eruption, {1, 2, 7});
    for (int places = 1; places <= 5; ++places)
        for (const Exchange& exchange : exchanges())
            for (const char* name :
                 {"halo/four_kernels/64x1/align128", "fused_minimum/three_kernels/64x4/align128"})
                check_steps(
                    name, eruption,
                    choice_of(std::vector<int>(static_cast<std::size_t>(places), 1), exchange),
                    expected);
}

TEST_CASE("many kernels of MAGFLOW work on several places", "[magflow][group]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64}) {
        const Eruption eruption({70, 31}, cell);
        const auto expected = expected_after(eruption, {4});
        for (const char* name :
             {"halo/four_kernels/64x3/align128", "shared_tile/four_kernels/64x4/align128",
              "read_only/four_kernels/64x4/align128", "half_stencil/four_kernels/64x3/align128",
              "half_stencil/three_kernels/8x8/align128",
              "fused_minimum/three_kernels/16x16/align128"})
            check_steps(name, eruption, choice_of({2, 1, 3}, {ExchangePath::copies, true}),
                        expected);
    }
    const Eruption eruption({70, 31});
    check_steps("tile_gather/four_kernels/16x16/align128", eruption,
                choice_of({1, 1}, {ExchangePath::stores, true}), expected_after(eruption, {4}));
}

TEST_CASE("places of MAGFLOW may have few rows, or allocate all", "[magflow][group]") {
    const Eruption eruption({37, 15});
    const auto expected = expected_after(eruption, {1, 6});
    for (const Exchange& exchange : exchanges()) {
        check_steps("halo/four_kernels/64x3/align128", eruption,
                    choice_of({1, 1, 1, 1, 1}, exchange), expected);
        check_steps("fused_minimum/three_kernels/64x1/align128", eruption,
                    choice_of({1, 9, 1, 4}, exchange), expected);
        GroupChoice whole = choice_of({1, 2}, exchange);
        whole.division.allocation = Allocation::whole;
        whole.division.edge_share = 3;
        check_steps("halo/four_kernels/64x1/align128", eruption, whole, expected);
    }
}

TEST_CASE("steps of MAGFLOW on several places are recorded and replayed", "[magflow][group]") {
    const Eruption eruption({37, 27});
    const State expected = eruption.after(7);
    for (const ExchangePath path : {ExchangePath::copies, ExchangePath::stores})
        for (const bool overlap : {false, true}) {
            CAPTURE(name(path), overlap);
            simt::HostQueue lead(1);
            const auto execution =
                variant_named("halo/four_kernels/64x1/align128", ElementType::float32)
                    .group_factories.at(Backend::simt)(lead, eruption.problem,
                                                       choice_of({1, 1, 1}, {path, overlap}));
            execution->upload(eruption.start);
            execution->advance(1);
            const auto recording = lead.record([&] { execution->advance(3); });
            recording->replay();
            recording->replay();
            State state = eruption.start;
            execution->download(state);
            CHECK(are_same(state, expected));
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

TEST_CASE("a division of MAGFLOW that goes wrong is found out", "[magflow][group][mutants]") {
    constexpr int steps = 16;
    const Eruption eruption({37, 27});
    const State expected = eruption.after(steps);
    for (const bool overlap : {false, true}) {
        CAPTURE(overlap);
        const auto is_right = [&](const std::vector<StepPlan>& plans,
                                  const GroupPipeline::ExchangeMaker& make = make_exchange) {
            simt::HostQueue lead(1);
            const GroupChoice choice = choice_of({1, 1, 1}, {ExchangePath::copies, overlap});
            GroupPipeline pipeline(std::make_unique<Group>(lead, choice.devices), eruption.problem,
                                   plans, choice.division, choice.exchange, make);
            pipeline.upload(eruption.start);
            pipeline.advance(steps);
            State state = eruption.start;
            pipeline.download(state);
            return are_same(state, expected);
        };
        const auto with = [](const auto& change) {
            std::vector<StepPlan> plans = four_kernels();
            change(plans[0].sharing, plans[1].sharing, plans[2].sharing, plans[3].sharing);
            return plans;
        };
        const auto right = four_kernels();
        CHECK(is_right(right));
        // Stale rows of the neighbours, of both or of one.
        CHECK_FALSE(is_right(right, forgets<SendsNothing>));
        CHECK_FALSE(is_right(right, forgets<SendsUpOnly>));
        CHECK_FALSE(is_right(right, forgets<SendsDownOnly>));
        // Rows that come while those before are still needed.
        CHECK_FALSE(is_right(right, forgets<ReleasesAtOnce>));
        // Lava without its heat.
        CHECK_FALSE(
            is_right(with([](auto&, auto& flux, auto&, auto&) { flux.sent = {"volume_flux"}; })));
        // The minimum takes in rows of which no limit is known.
        CHECK_FALSE(is_right(with([](auto&, auto&, auto& minimum, auto&) { minimum.beyond = 1; })));
        // Every place has a step of its own length.
        CHECK_FALSE(
            is_right(with([](auto&, auto&, auto& minimum, auto&) { minimum.least.clear(); })));
        // The neighbours' rows stay as they were.
        CHECK_FALSE(is_right(with([](auto&, auto&, auto&, auto& update) { update.beyond = 0; })));
        // Fluxes come from the place that has the vent: what else erupts there is no lava.
        CHECK(is_right(with([](auto& erupt, auto&, auto&, auto&) { erupt.beyond = 1; })));
    }
}

TEST_CASE("what MAGFLOW's places cannot do is said", "[magflow][group]") {
    const Eruption eruption({37, 27});
    simt::HostQueue lead(1);
    GroupChoice choice = choice_of({1, 1}, {});
    choice.division.halo_depth = 2;
    const Variant& variant = variant_named("halo/four_kernels/64x1/align128", ElementType::float32);
    CHECK_THROWS_WITH(
        variant.group_factories.at(Backend::simt)(lead, eruption.problem, choice),
        "a halo of 2 generations is too deep: the places share step flux of every generation");
    CHECK(variant_named("library_minimum/four_kernels/64x4/align128", ElementType::float32)
              .undivided ==
          "step minimum in technique library_minimum needs the whole board in one place");
}

}  // namespace camber::magflow_group_test
