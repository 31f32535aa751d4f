// Devices with persistent kernels, which compute many generations and exchange rows themselves.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/groups/pipeline.hpp"
#include "harness/groups/pipeline_partitions.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/toy_state.hpp"
#include "tests/harness/registry/toy_steps.hpp"
#include "tests/workloads/core/rule_sequence.hpp"
#include "variants/techniques/techniques.hpp"

namespace camber::staying_places_test {
namespace {

using namespace toy;

constexpr TechniqueInfo mutant_info{"staying mutant", "", "", Family::other};

// Omission of a faulty kernel.
enum class Fault { none, receive, send, order, rows, complete };

template <Fault fault, class Rule, int N, int Rows>
__global__ void staying_mutant(const Turns<Rule> turns, const int generations) {
    __shared__ typename TakenTurns<Rule>::Storage storage;
    TakenTurns<Rule> taken(turns, generations, storage);
    __syncthreads();
    for (int generation; (generation = taken.generation()) >= 0;) {
        const Views<Rule>& views = turns.views[generation % 2];
        const StayingTurn<Rule> own(turns, turns.link[generation % 2], taken.turn());
        if (fault != Fault::rows) own.await_rows(generation);
        if (own.leads()) {
            for (int side = 0; side < 2; ++side)
                if (fault != Fault::receive)
                    own.await_neighbour(side, taken.arrivals(side, generation));
            taken.take();
        }
        __syncthreads();
        if (fault == Fault::order) own.send(views);
        for (int column = own.first_column(); column < own.end_column(); ++column)
            stream_rows<N, Rows, Fit::overhang>(views, own.row(), column);
        if (fault != Fault::send && fault != Fault::order) own.send(views);
        if (own.leads()) taken.hand_out();
        __syncthreads();
        if (own.leads() && fault != Fault::complete) own.complete();
    }
    if (StayingTurn<Rule>::leads()) taken.end();
}

std::vector<StepPlan> plan_of(const std::string& path) {
    std::vector<StepPlan> plans;
    for (const StepPlan& plan : step_choices<Mix, TechniqueList<RowStream, Halo>>())
        if (plan.name() == path) plans.push_back(plan);
    REQUIRE(plans.size() == 1);
    return plans;
}
template <Fault fault>
std::vector<StepPlan> mutant() {
    std::vector<StepPlan> plans;
    Catalogue<Mix>(plans).add(
        mutant_info, {.shape = {.block = {32, 4}, .region = {128, 8}, .halo = 2, .alignment = 128},
                      .kernel = {row_stream_kernel<Mix, 4, 2, Fit::overhang>},
                      .linked_kernel = {linked_row_stream_kernel<Mix, 4, 2, Fit::overhang>},
                      .staying_kernel = {staying_mutant<fault, Mix, 4, 2>}});
    return plans;
}

struct Setup {
    Size size{300, 61};
    Division division{{1, 1, 1}, Allocation::slab, 1, 16};
    // Generations in successive calls.
    std::vector<int> calls{3, 1, 4, 2};
    bool poison = false;
    int generations = 10;
};

std::unique_ptr<GroupRuntime> pipeline_of(Queue& lead, const std::vector<StepPlan>& plans,
                                          const Setup& setup, Boundary boundary = Boundary::dead) {
    const std::vector<int> devices(setup.division.weights.size(), 0);
    return divide<RowPartition>(
        std::make_unique<Group>(lead, devices), Exchange{ExchangePath::persistent, true},
        Problem{setup.size, boundary, ElementType::uint32}, plans, setup.division);
}

State expected_after(Size size, int generations) {
    State expected = initial_state(size);
    for (int g = 0; g < generations; ++g) run_rules<Mix>(expected, {Boundary::dead});
    return expected;
}

bool is_right(const std::vector<StepPlan>& plans, const Setup& setup) {
    simt::HostQueue lead(2);
    const auto pipeline = pipeline_of(lead, plans, setup);
    const State initial = initial_state(setup.size);
    const State expected = expected_after(setup.size, setup.generations);
    pipeline->upload(initial);
    for (int done = 0, call = 0; done < setup.generations; ++call) {
        const int now = std::min(setup.calls[static_cast<std::size_t>(call) % setup.calls.size()],
                                 setup.generations - done);
        if (setup.poison) pipeline->poison(Poison::first);
        pipeline->advance(now);
        done += now;
    }
    State result = initial;
    pipeline->download(result);
    return same_bytes(result.field("cells"), expected.field("cells"));
}

// Blocks that run ahead of others miscount the senders.
bool is_wrong_or_stuck(const std::vector<StepPlan>& plans) {
    try {
        return !is_right(plans, {});
    } catch (const std::logic_error&) {
        return true;
    }
}

}  // namespace

TEST_CASE("kernels that stay compute what one place computes", "[portable][group][persistent]") {
    const auto check = [](const char* path, const std::vector<int>& weights, Size size,
                          bool poison) {
        CAPTURE(path, weights, size.columns, size.rows, poison);
        const Allocation allocation = poison ? Allocation::whole : Allocation::slab;
        CHECK(is_right(plan_of(path), {size, {weights, allocation, 1, 16}, {3, 1, 4, 2}, poison}));
    };
    for (const std::vector<int>& weights :
         {std::vector{1}, std::vector{1, 1}, std::vector{2, 1, 4}, std::vector(7, 1)}) {
        check("row_stream/32x4/v4/r2/align128", weights, {300, 61}, weights.size() == 2);
        check("row_stream/64x4/v4/r2/align128", weights, {256, 112}, weights.size() == 7);
    }
    // Stripes with as many rows as their neighbors need.
    for (const bool poison : {false, true})
        check("row_stream/32x4/v4/r2/align128", std::vector(7, 1), {3, 14}, poison);
}

TEST_CASE("kernels that stay have more turns than blocks, and one launch for all generations",
          "[portable][group][persistent]") {
    // 16 blocks of 128 threads are resident; a stripe has five columns and 13 rows of regions.
    const Setup setup{.size = {600, 200},
                      .division = {{1, 1}, Allocation::slab, 1, 16},
                      .calls = {9},
                      .generations = 9};
    simt::HostQueue lead(1);
    const auto pipeline = pipeline_of(lead, plan_of("row_stream/32x4/v4/r2/align128"), setup);
    pipeline->upload(initial_state(setup.size));
    lead.take_kernel_facts();
    pipeline->advance(9);
    State result = initial_state(setup.size);
    pipeline->download(result);
    CHECK(same_bytes(result.field("cells"), expected_after(setup.size, 9).field("cells")));
    const auto facts = lead.take_kernel_facts();
    REQUIRE(facts.size() == 1);
    CHECK(facts[0].grid[0] == 16);
    CHECK(facts[0].grid[1] == 1);
}

TEST_CASE("kernels that stay and exchange wrongly are found out",
          "[portable][group][persistent][mutants]") {
    CHECK(is_right(mutant<Fault::none>(), {}));
    CHECK_FALSE(is_right(mutant<Fault::receive>(), {}));
    CHECK_FALSE(is_right(mutant<Fault::order>(), {}));
    CHECK(is_wrong_or_stuck(mutant<Fault::rows>()));
    // Later turns, and the neighbors, wait forever.
    CHECK_THROWS_WITH(is_right(mutant<Fault::complete>(), {}),
                      "queues wait for work that none of them has");
    CHECK_THROWS_WITH(is_right(mutant<Fault::send>(), {}),
                      "queues wait for work that none of them has");
}

TEST_CASE("where a kernel cannot stay is said", "[portable][group][persistent]") {
    simt::HostQueue lead(1);
    const auto plans = plan_of("row_stream/32x4/v4/r2/align128");
    const Setup setup;
    CHECK_NOTHROW(pipeline_of(lead, plans, setup));
    CHECK_THROWS_WITH(pipeline_of(lead, plan_of("halo/64x4/align128"), setup),
                      contains("the technique has no kernel that does"));
    std::vector<StepPlan> linked_only;
    Catalogue<Mix>(linked_only)
        .add(mutant_info,
             {.shape = {.block = {32, 4}, .region = {128, 8}, .halo = 2, .alignment = 128},
              .kernel = {row_stream_kernel<Mix, 4, 2, Fit::overhang>},
              .linked_kernel = {linked_row_stream_kernel<Mix, 4, 2, Fit::overhang>}});
    CHECK_THROWS_WITH(pipeline_of(lead, linked_only, setup),
                      contains("the step's kernel cannot stay for many generations"));
    CHECK_THROWS_WITH(pipeline_of(lead, plans, setup, Boundary::torus), contains("on a torus"));
    Setup balanced = setup;
    balanced.division.allocation = Allocation::whole;
    balanced.division.balancing.rule = BalanceRule::improved;
    CHECK_THROWS_WITH(pipeline_of(lead, plans, balanced),
                      contains("the time of a kernel that waits for its neighbours"));
}

}  // namespace camber::staying_places_test
