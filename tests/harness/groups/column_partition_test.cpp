// Boards that several devices divide by columns, in row-major order or transposed.
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/groups/pipeline_partitions.hpp"
#include "harness/groups/routes.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/exchange_ways.hpp"
#include "tests/harness/registry/forgetful_exchange.hpp"
#include "tests/harness/registry/toy_plans.hpp"
#include "tests/harness/registry/toy_state.hpp"
#include "tests/harness/registry/toy_steps.hpp"
#include "tests/variants/group_runs.hpp"
#include "tests/workloads/core/rule_sequence.hpp"
#include "variants/techniques/techniques.hpp"

namespace camber::column_partition_test {

// Boards divided by columns: the result is the same as on a single device, with every exchange

namespace {

using namespace toy;
using MakeExchange = GroupExchange::HaloMaker;

struct Setup {
    Size size{61, 23};
    Boundary boundary = Boundary::dead;
    std::vector<int> weights{2, 1, 3};
    int depth = 1;
    ExchangePath path = ExchangePath::copies;
    int generations = 6;
    bool poison = false;
    MakeExchange make = make_exchange;
};

State expected_of(const Setup& setup) {
    State state = initial_state(setup.size);
    add_scratch<std::uint32_t>(state, {"sums"});
    for (int g = 0; g < setup.generations; ++g) run_rules<Spread, Blend>(state, {setup.boundary});
    return state;
}

State run(const std::vector<StepPlan>& plans, const Setup& setup) {
    simt::HostQueue lead(1);
    lead.set_label("toy");
    const std::vector<int> devices(setup.weights.size(), 0);
    const State initial = initial_state(setup.size);
    Division division;
    division.weights = setup.weights;
    division.halo_depth = setup.depth;
    division.partition = Partition::columns;
    const auto pipeline = divide<ColumnPartition>(
        std::make_unique<Group>(lead, devices), GroupExchange({setup.path, false}, setup.make),
        Problem{setup.size, setup.boundary, ElementType::uint32}, plans, division);
    pipeline->upload(initial);
    if (setup.poison)
        for (int g = 0; g < setup.generations; g += setup.depth) {
            pipeline->poison(Poison::first);
            pipeline->advance(setup.depth);
        }
    else
        pipeline->advance(setup.generations);
    State result = initial;
    pipeline->download(result);
    return result;
}

bool is_right(const std::string& path, const Setup& setup) {
    return same_bytes(run(spread_and_blend(path), setup).field("cells"),
                      expected_of(setup).field("cells"));
}

}  // namespace

TEST_CASE("places with columns compute what one computes, on every path",
          "[portable][group][columns]") {
    Setup setup;
    for (const Exchange& exchange : exchanges()) {
        if (exchange.overlap) continue;
        for (const int depth : {1, 2, 3})
            for (const bool poison : {false, true}) {
                setup.path = exchange.path;
                setup.depth = depth;
                setup.poison = poison;
                CAPTURE(name(exchange.path), depth, poison);
                for (const char* path :
                     {"halo/16x16/unaligned", "halo/64x4/align128", "shared_tile/64x4/align128"})
                    CHECK(is_right(path, setup));
            }
    }
    // The minimum number of columns, and a single device.
    setup = {.size = {15, 20}, .weights = {1, 1, 1, 1, 1}};
    CHECK(is_right("halo/16x16/unaligned", setup));
    setup.weights = {1};
    CHECK(is_right("halo/16x16/unaligned", setup));
}

TEST_CASE("recorded columns are replayed", "[portable][group][columns]") {
    for (const ExchangePath path : {ExchangePath::copies, ExchangePath::stores}) {
        simt::HostQueue lead(1);
        const Setup setup{.generations = 8};
        const State initial = initial_state(setup.size);
        Division division;
        division.weights = setup.weights;
        division.partition = Partition::columns;
        const auto pipeline = divide<ColumnPartition>(
            std::make_unique<Group>(lead, std::vector{0, 0, 0}), Exchange{path, false},
            Problem{setup.size, setup.boundary, ElementType::uint32},
            spread_and_blend("halo/16x16/unaligned"), division);
        pipeline->upload(initial);
        const auto recording = lead.record([&] { pipeline->advance(4); });
        recording->replay();
        recording->replay();
        State result = initial;
        pipeline->download(result);
        CHECK(same_bytes(result.field("cells"), expected_of(setup).field("cells")));
    }
}

TEST_CASE("an exchange of columns that forgets something is found out",
          "[portable][group][columns][mutants]") {
    Setup setup{.weights = {1, 1, 1}, .generations = 16};
    const char* const path = "halo/16x16/unaligned";
    setup.make = forgets<Forgetful>;
    CHECK(is_right(path, setup));
    setup.make = forgets<SendsNothing>;
    CHECK_FALSE(is_right(path, setup));
    setup.make = forgets<SendsUpOnly>;
    CHECK_FALSE(is_right(path, setup));
    setup.make = forgets<WaitsForNothing>;
    CHECK_FALSE(is_right(path, setup));
    setup.make = forgets<ReleasesAtOnce>;
    CHECK_FALSE(is_right(path, setup));
}

TEST_CASE("columns are refused with the reason", "[group][columns]") {
    const auto plans = spread_and_blend("halo/16x16/unaligned");
    CHECK_THROWS_WITH(run(plans, {.size = {15, 20}, .weights = {1, 1, 1, 1, 1, 1}}),
                      contains("of the board's 15 columns, and its neighbours need 3 of it"));
    CHECK_THROWS_WITH(run(plans, {.boundary = Boundary::torus}),
                      contains("columns cannot be divided: a torus closes its columns"));
    CHECK_THROWS_WITH(
        run(plans, {.path = ExchangePath::kernel}),
        contains("columns cannot be divided: the step's own kernel sends whole rows"));
    CHECK_THROWS_WITH(
        run(plans, {.path = ExchangePath::nccl}),
        contains("columns cannot be divided: NCCL would send a message for every row"));
}

TEST_CASE("boards of every kind are divided by columns", "[portable][group][columns]") {
    struct Chosen {
        const char* workload;
        ElementType cell;
        const char* variant;
        const char* field;
    };
    for (const auto& [workload, cell, variant, field] :
         {Chosen{"life", ElementType::uint32, "row_stream/64x4/v4/r2/align128", "cells"},
          {"life", ElementType::uint8, "packed/64x4/v16/align128", "cells"},
          {"blur", ElementType::float32, "row_stream/64x4/v4/r2/align128", "image"},
          {"water_flow", ElementType::float32, "row_stream/fused/64x4/v4/r2/align128", "level"},
          {"surface_water", ElementType::float32, "packed/four_kernels/64x4/v4/align128", "depth"},
          {"sciara_fv2", ElementType::float64, "row_stream/four_kernels/64x4/v2/r1/align128",
           "thickness"}}) {
        CAPTURE(workload, variant);
        const group_runs::Scene scene = group_runs::volcano(workload, {91, 37}, cell, {field});
        GroupChoice choice = group_runs::choice_of({2, 1, 2}, {ExchangePath::copies, false});
        choice.division.partition = Partition::columns;
        group_runs::check_steps(variant, scene, choice, group_runs::expected_after(scene, {1, 6}));
    }
}

}  // namespace camber::column_partition_test

namespace camber::transposed_partition_test {

// Transposed boards divided by columns: the result is the same as on a single device, and edges are
// contiguous

namespace {

using namespace toy;

struct Setup {
    Size size{61, 23};
    Boundary boundary = Boundary::dead;
    std::vector<int> weights{2, 1, 3};
    int depth = 1;
    Exchange exchange{ExchangePath::copies, true};
    int generations = 6;
    bool poison = false;
    GroupExchange::HaloMaker make = make_exchange;
};

State expected_of(const Setup& setup) {
    State state = initial_state(setup.size);
    add_scratch<std::uint32_t>(state, {"sums"});
    for (int g = 0; g < setup.generations; ++g) run_rules<Spread, Blend>(state, {setup.boundary});
    return state;
}

bool is_right(const std::vector<StepPlan>& plans, const Setup& setup) {
    simt::HostQueue lead(1);
    const std::vector<int> devices(setup.weights.size(), 0);
    const State initial = initial_state(setup.size);
    Division division;
    division.weights = setup.weights;
    division.halo_depth = setup.depth;
    division.partition = Partition::transposed;
    const auto execution = divide<TransposedPartition>(
        std::make_unique<Group>(lead, devices), GroupExchange(setup.exchange, setup.make),
        Problem{setup.size, setup.boundary, ElementType::uint32}, plans, division);
    execution->upload(initial);
    if (setup.poison)
        for (int g = 0; g < setup.generations; g += setup.depth) {
            execution->poison(Poison::first);
            execution->advance(setup.depth);
        }
    else
        execution->advance(setup.generations);
    State result = initial;
    // The memory must not move: it may be pinned, or a device may have a copy of it.
    const std::byte* const memory = result.field("cells").bytes().data();
    execution->download(result);
    return result.field("cells").bytes().data() == memory &&
           result.field("cells").size() == setup.size &&
           same_bytes(result.field("cells"), expected_of(setup).field("cells")) &&
           same_bytes(result.field("weight"), initial.field("weight"));
}

const std::string plain = "halo/16x16/unaligned";

}  // namespace

TEST_CASE("a board that is stored transposed comes out as it would otherwise",
          "[portable][group][transposed]") {
    for (const Exchange& exchange : exchanges())
        for (const int depth : {1, 2, 3})
            for (const bool poison : {false, true})
                for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
                    CAPTURE(name(exchange.path), exchange.overlap, depth, poison, name(boundary));
                    Setup setup{.boundary = boundary, .depth = depth, .exchange = exchange};
                    setup.poison = poison;
                    CHECK(is_right(spread_and_blend(plain), setup));
                }
    // The minimum number of columns, a single device, and a square board.
    CHECK(is_right(spread_and_blend(plain), {.size = {15, 20}, .weights = {1, 1, 1, 1, 1}}));
    CHECK(is_right(spread_and_blend("halo/64x4/align128"), {.weights = {1}}));
    CHECK(is_right(spread_and_blend(plain), {.size = {40, 40}}));
}

TEST_CASE("edges of a board that is stored transposed are contiguous",
          "[portable][group][transposed]") {
    simt::HostQueue lead(1);
    Division division;
    division.weights = {1, 1};
    division.partition = Partition::transposed;
    const auto execution = divide<TransposedPartition>(
        std::make_unique<Group>(lead, std::vector{0, 0}), Exchange{ExchangePath::copies, true},
        Problem{{61, 23}, Boundary::dead, ElementType::uint32}, spread_and_blend(plain), division);
    const Routes routes(*execution->divided());
    // Three columns are sent as three contiguous pieces, each as long as a column.
    for (const ByteArea& area : routes.areas(0, Side::below, Way::sent)) {
        CHECK(area.rows == 3);
        CHECK(area.width == 23 * sizeof(std::uint32_t));
    }
}

TEST_CASE("kernels without a transposed form are refused", "[portable][group][transposed]") {
    const auto refusal = [](const std::vector<StepPlan>& plans, const Setup& setup) {
        try {
            is_right(plans, setup);
        } catch (const Unsupported& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK_THAT(refusal(spread_and_blend("shared_tile/64x4/align128"), {}),
               contains("the board cannot be stored transposed: step spread in technique "
                        "shared_tile has no kernel that reads rows as columns"));
    CHECK_THAT(refusal(spread_and_blend(plain), {.size = {15, 20}, .weights = {1, 6}}),
               contains("place 0 of 2 has 2 of the board's 15 columns"));
}

TEST_CASE("a transposed division that goes wrong is found out",
          "[portable][group][transposed][mutants]") {
    const Setup setup{.weights = {1, 1, 1}, .generations = 16};
    REQUIRE(is_right(spread_and_blend(plain), setup));
    SECTION("rows read as rows") {
        auto plans = spread_and_blend(plain);
        for (StepPlan& plan : plans) plan.across = plan.make;
        CHECK_FALSE(is_right(plans, setup));
    }
    SECTION("nobody waits for what comes") {
        Setup hasty = setup;
        hasty.make = forgets<WaitsForNothing>;
        CHECK_FALSE(is_right(spread_and_blend(plain), hasty));
    }
}

}  // namespace camber::transposed_partition_test
