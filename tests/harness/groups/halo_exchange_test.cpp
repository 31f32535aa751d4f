// Devices whose kernels exchange edge rows themselves.
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "harness/groups/pipeline.hpp"
#include "harness/groups/pipeline_partitions.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/toy_state.hpp"
#include "tests/harness/registry/toy_steps.hpp"
#include "tests/workloads/core/rule_sequence.hpp"
#include "variants/techniques/techniques.hpp"

namespace camber::linked_places_test {

namespace {

using namespace toy;

constexpr TechniqueInfo mutant_info{"mutant", "", "", Family::other};

// Sends rows before it computes them.
template <class Rule, int N, int Rows>
__global__ void sends_first(const Views<Rule> views, const Link<Rule> link) {
    const LinkedBlock block(link);
    block.send(views);
    stream_rows<N, Rows, Fit::overhang>(views, block.row());
}
// Sends nothing.
template <class Rule, int N, int Rows>
__global__ void sends_nothing(const Views<Rule> views, const Link<Rule> link) {
    const LinkedBlock block(link);
    stream_rows<N, Rows, Fit::overhang>(views, block.row());
}
// Computes other blocks than it sends.
template <class Rule, int N, int Rows>
__global__ void sends_blocks_as_they_come(const Views<Rule> views, const Link<Rule> link) {
    const LinkedBlock block(link);
    stream_rows<N, Rows, Fit::overhang>(views, blockIdx.y);
    block.send(views);
}

std::vector<StepPlan> plan_of(const std::string& path) {
    std::vector<StepPlan> plans;
    for (const StepPlan& plan : step_choices<Mix, TechniqueList<RowStream, Halo>>())
        if (plan.name() == path) plans.push_back(plan);
    REQUIRE(plans.size() == 1);
    return plans;
}
std::vector<StepPlan> plan_of(LinkedKernel<Mix> mutant) {
    std::vector<StepPlan> plans;
    Catalogue<Mix>(plans).add(
        mutant_info, {.shape = {.block = {32, 4}, .region = {128, 8}, .halo = 2, .alignment = 128},
                      .kernel = {row_stream_kernel<Mix, 4, 2, Fit::overhang>},
                      .linked_kernel = {mutant}});
    return plans;
}

struct Setup {
    Size size{300, 61};
    Division division{{1, 1, 1}, Allocation::slab, 1, 16};
    bool poison = false;
    int generations = 6;
};

std::unique_ptr<GroupRuntime> pipeline_of(Queue& lead, const std::vector<StepPlan>& plans,
                                          const Setup& setup, Boundary boundary = Boundary::dead) {
    const std::vector<int> devices(setup.division.weights.size(), 0);
    return divide<RowPartition>(
        std::make_unique<Group>(lead, devices), Exchange{ExchangePath::kernel, true},
        Problem{setup.size, boundary, ElementType::uint32}, plans, setup.division);
}

bool is_right(const std::vector<StepPlan>& plans, const Setup& setup) {
    const State initial = initial_state(setup.size);
    State expected = initial;
    for (int g = 0; g < setup.generations; ++g) run_rules<Mix>(expected, {Boundary::dead});
    simt::HostQueue lead(2);
    const auto pipeline = pipeline_of(lead, plans, setup);
    pipeline->upload(initial);
    for (int g = 0; g < setup.generations; ++g) {
        if (setup.poison) pipeline->poison(Poison::first);
        pipeline->advance(1);
    }
    State result = initial;
    pipeline->download(result);
    return same_bytes(result.field("cells"), expected.field("cells"));
}

}  // namespace

TEST_CASE("kernels that exchange by themselves compute what one place computes", "[group]") {
    for (const char* const path :
         {"row_stream/32x4/v4/r2/align128", "row_stream/64x4/v4/r2/align128"})
        for (const std::vector<int>& weights :
             {std::vector{1}, std::vector{1, 1}, std::vector{2, 1, 4}, std::vector(7, 1)})
            for (const Size size : {Size{300, 61}, Size{256, 112}, Size{3, 14}})
                for (const Allocation allocation : {Allocation::slab, Allocation::whole})
                    for (const bool poison : {false, true}) {
                        if (size.rows / static_cast<int>(weights.size()) < 2) continue;
                        // 2 of 14 rows are too few.
                        if (size.rows < 61 && weights.size() == 3) continue;
                        CAPTURE(path, weights, size.columns, size.rows, name(allocation), poison);
                        CHECK(
                            is_right(plan_of(path), {size, {weights, allocation, 1, 16}, poison}));
                    }
}

// If borders are inside blocks, every device runs the kernel that tests for the board's end: three
// GPUs then took a fifth longer.
TEST_CASE("high stripes have whole blocks, which need no test for the board's end",
          "[portable][group]") {
    const auto plans = plan_of("row_stream/64x4/v4/r2/align128");
    const Setup setup{.size = {256, 1624}, .generations = 2};
    CHECK(is_right(plans, setup));
    simt::HostQueue lead(1);
    const auto pipeline = pipeline_of(lead, plans, setup);
    REQUIRE(pipeline->divided()->places.size() == 3);
    for (const PlaceFields& place : pipeline->divided()->places) CHECK(place.own.count() % 8 == 0);
}

TEST_CASE("kernels that exchange by themselves are recorded and replayed", "[portable][group]") {
    const Setup setup;
    simt::HostQueue lead(1);
    const State initial = initial_state(setup.size);
    const auto pipeline = pipeline_of(lead, plan_of("row_stream/32x4/v4/r2/align128"), setup);
    pipeline->upload(initial);
    const auto recording = lead.record([&] { pipeline->advance(2); });
    for (int i = 0; i < 4; ++i) recording->replay();
    State result = initial;
    pipeline->download(result);
    State expected = initial;
    for (int g = 0; g < 8; ++g) run_rules<Mix>(expected, {Boundary::dead});
    CHECK(same_bytes(result.field("cells"), expected.field("cells")));
    // Replays once more from the start, with the counters as they are.
    pipeline->upload(initial);
    recording->replay();
    for (int i = 0; i < 3; ++i) recording->replay();
    pipeline->download(result);
    CHECK(same_bytes(result.field("cells"), expected.field("cells")));
}

TEST_CASE("kernels that exchange wrongly are found out", "[portable][group][mutants]") {
    CHECK(is_right(plan_of(linked_row_stream_kernel<Mix, 4, 2, Fit::overhang>), {}));
    CHECK_FALSE(is_right(plan_of(sends_first<Mix, 4, 2>), {}));
    CHECK_FALSE(is_right(plan_of(sends_blocks_as_they_come<Mix, 4, 2>), {}));
    CHECK_FALSE(is_right(plan_of(sends_nothing<Mix, 4, 2>), {}));
}

TEST_CASE("what a kernel cannot exchange by itself is said", "[portable][group]") {
    simt::HostQueue lead(1);
    const auto plans = plan_of("row_stream/32x4/v4/r2/align128");
    const Setup setup;
    CHECK_NOTHROW(pipeline_of(lead, plans, setup));
    CHECK_THROWS_WITH(pipeline_of(lead, plan_of("halo/64x4/align128"), setup),
                      contains("the technique has no kernel that does"));
    CHECK_THROWS_WITH(pipeline_of(lead, plans, setup, Boundary::torus), contains("on a torus"));
    Setup deep = setup;
    deep.division.halo_depth = 2;
    CHECK_THROWS_WITH(pipeline_of(lead, plans, deep),
                      contains("with a halo of several generations"));
    std::vector<StepPlan> two;
    for (const auto& choices : {step_choices<Spread, TechniqueList<RowStream>>(),
                                step_choices<Blend, TechniqueList<RowStream>>()})
        for (const StepPlan& plan : choices)
            if (plan.name() == "row_stream/32x4/v4/r2/align128") two.push_back(plan);
    REQUIRE(two.size() == 2);
    CHECK_THROWS_WITH(pipeline_of(lead, two, setup),
                      contains("a generation takes several kernels"));
}

}  // namespace camber::linked_places_test
