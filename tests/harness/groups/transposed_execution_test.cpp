// Boards that are stored transposed: places with columns compute what one place computes, and their
// edges are contiguous.
#include "harness/groups/transposed_execution.hpp"

#include <string>
#include <vector>

#include "harness/base/unsupported.hpp"
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

namespace camber::transposed_execution_test {
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
    GroupPipeline::Substitutes substitutes = {};
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
    const auto execution = make_transposed(std::make_unique<Group>(lead, devices),
                                           {setup.size, setup.boundary, ElementType::uint32}, plans,
                                           division, setup.exchange, setup.substitutes);
    execution->upload(initial);
    if (setup.poison)
        for (int g = 0; g < setup.generations; g += setup.depth) {
            execution->poison(Poison::first);
            execution->advance(setup.depth);
        }
    else
        execution->advance(setup.generations);
    State result = initial;
    // Others may have pinned that memory, or keep a copy of it on a device.
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
          "[group][transposed]") {
    for (const Exchange& exchange : exchanges())
        for (const int depth : {1, 2, 3})
            for (const bool poison : {false, true})
                for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
                    CAPTURE(name(exchange.path), exchange.overlap, depth, poison, name(boundary));
                    Setup setup{.boundary = boundary, .depth = depth, .exchange = exchange};
                    setup.poison = poison;
                    CHECK(is_right(spread_and_blend(plain), setup));
                }
    // As few columns as they send, one place, and a square board.
    CHECK(is_right(spread_and_blend(plain), {.size = {15, 20}, .weights = {1, 1, 1, 1, 1}}));
    CHECK(is_right(spread_and_blend("halo/64x4/align128"), {.weights = {1}}));
    CHECK(is_right(spread_and_blend(plain), {.size = {40, 40}}));
}

TEST_CASE("edges of a board that is stored transposed are contiguous", "[group][transposed]") {
    simt::HostQueue lead(1);
    Division division;
    division.weights = {1, 1};
    division.partition = Partition::transposed;
    const auto execution =
        make_transposed(std::make_unique<Group>(lead, std::vector{0, 0}),
                        {{61, 23}, Boundary::dead, ElementType::uint32}, spread_and_blend(plain),
                        division, {ExchangePath::copies, true});
    const Routes routes(*execution->divided());
    // Of three columns, as many pieces, each as long as a column.
    for (const ByteArea& area : routes.areas(0, Side::below, Way::sent)) {
        CHECK(area.rows == 3);
        CHECK(area.width == 23 * sizeof(std::uint32_t));
    }
}

TEST_CASE("kernels without a transposed form are refused", "[group][transposed]") {
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

TEST_CASE("a transposed division that goes wrong is found out", "[group][transposed][mutants]") {
    const Setup setup{.weights = {1, 1, 1}, .generations = 16};
    REQUIRE(is_right(spread_and_blend(plain), setup));
    SECTION("rows read as rows") {
        auto plans = spread_and_blend(plain);
        for (StepPlan& plan : plans) plan.across = plan.make;
        CHECK_FALSE(is_right(plans, setup));
    }
    SECTION("nobody waits for what comes") {
        Setup hasty = setup;
        hasty.substitutes.make = forgets<WaitsForNothing>;
        CHECK_FALSE(is_right(spread_and_blend(plain), hasty));
    }
}

}  // namespace camber::transposed_execution_test
