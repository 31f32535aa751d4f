// Pipelines on several devices: the result is the same as on a single device, with every division
// and exchange, and omissions in an exchange are detected.
#include "harness/groups/pipeline_partitions.hpp"

#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/groups/group.hpp"
#include "harness/groups/partition.hpp"
#include "harness/groups/pipeline.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/exchange_ways.hpp"
#include "tests/harness/registry/forgetful_exchange.hpp"
#include "tests/harness/registry/toy_plans.hpp"
#include "tests/harness/registry/toy_state.hpp"
#include "tests/harness/registry/toy_steps.hpp"
#include "tests/workloads/core/rule_sequence.hpp"
#include "variants/techniques/techniques.hpp"

namespace camber::row_partition_test {
namespace {

using namespace toy;

using Some = TechniqueList<Halo, SharedTile, RowStream>;

// Two pipelines: spread_and_blend writes a field that an earlier step reads, in one buffer; this
// one writes a field that the same step reads, in two.
std::vector<StepPlan> spread_and_add(const std::string& path) {
    std::vector<StepPlan> plans;
    for (const auto& choices :
         {step_choices<Spread, Some>(), step_choices<Add, TechniqueList<Halo>>()})
        for (const StepPlan& plan : choices)
            if (plan.name() == path) plans.push_back(plan);
    REQUIRE(plans.size() == 2);
    return plans;
}

template <class... Rules>
State expected_of(Size size, Boundary boundary, int generations) {
    State state = initial_state(size);
    add_scratch<std::uint32_t>(state, {"sums"});
    for (int g = 0; g < generations; ++g) run_rules<Rules...>(state, {boundary});
    return state;
}

struct Setup {
    Size size{37, 29};
    Boundary boundary = Boundary::dead;
    Division division{};
    Exchange exchange{};
    int generations = 6;
    bool poison = false;
    GroupExchange::HaloMaker make = make_exchange;
};

State run(const std::vector<StepPlan>& plans, const Setup& setup) {
    simt::HostQueue lead(1);
    lead.set_label("toy");
    const std::vector<int> devices(setup.division.weights.size(), 0);
    const State initial = initial_state(setup.size);
    const auto pipeline = divide<RowPartition>(
        std::make_unique<Group>(lead, devices), GroupExchange(setup.exchange, setup.make),
        Problem{setup.size, setup.boundary, ElementType::uint32}, plans, setup.division);
    pipeline->upload(initial);
    if (setup.poison)
        for (int g = 0; g < setup.generations; g += setup.division.halo_depth) {
            pipeline->poison(Poison::first);
            pipeline->advance(setup.division.halo_depth);
        }
    else
        pipeline->advance(setup.generations);
    State result = initial;
    pipeline->download(result);
    return result;
}

bool is_right(const std::vector<StepPlan>& plans, const Setup& setup, const State& expected) {
    return same_bytes(run(plans, setup).field("cells"), expected.field("cells"));
}

}  // namespace

TEST_CASE("stripes have whole rows by weight", "[portable][group]") {
    const auto ends = [](const std::vector<Rows>& stripes) {
        std::vector<int> ends;
        for (const Rows& stripe : stripes) ends.push_back(stripe.end);
        return ends;
    };
    using Ends = std::vector<int>;
    CHECK(ends(stripes(1000, std::vector{15, 15, 30})) == Ends{250, 500, 1000});
    CHECK(ends(stripes(1000, std::vector{132, 66})) == Ends{667, 1000});
    CHECK(ends(stripes(1024, std::vector{108, 132, 132})) == Ends{297, 661, 1024});
    CHECK(ends(stripes(4095, 6)) == Ends{683, 1365, 2048, 2730, 3413, 4095});
    CHECK(ends(stripes(819, 4)) == Ends{205, 410, 614, 819});
    CHECK(ends(stripes(4095, 8)) == Ends{512, 1024, 1536, 2048, 2559, 3071, 3583, 4095});
    // Borders are between whole blocks, unless stripes are so small that one would shrink
    // noticeably.
    CHECK(ends(in_whole_blocks(stripes(32768, 3), 8)) == Ends{10920, 21848, 32768});
    CHECK(ends(in_whole_blocks(stripes(4095, 4), 3)) == Ends{1023, 2049, 3072, 4095});
    CHECK(ends(in_whole_blocks(stripes(819, 4), 8)) == ends(stripes(819, 4)));
    const auto few = stripes(2, 3);
    CHECK(few[0].count() + few[1].count() + few[2].count() == 2);
}

TEST_CASE("several places compute what one computes, on every path", "[portable][group]") {
    for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
        Setup setup{.boundary = boundary, .generations = 4};
        const State blended = expected_of<Spread, Blend>(setup.size, boundary, setup.generations);
        const State added = expected_of<Spread, Add>(setup.size, boundary, setup.generations);
        for (const int count : {1, 2, 4})
            for (const Exchange& exchange : exchanges())
                for (const bool poison : {false, true}) {
                    setup.division.weights.assign(static_cast<std::size_t>(count), 1);
                    setup.exchange = exchange;
                    setup.poison = poison;
                    CAPTURE(count, name(exchange.path), exchange.overlap, poison, boundary);
                    CHECK(is_right(spread_and_blend("halo/16x16/unaligned"), setup, blended));
                    CHECK(is_right(spread_and_add("halo/64x4/align128"), setup, added));
                }
    }
}

TEST_CASE("a division may be of any kind", "[portable][group]") {
    Setup setup{.size = {34, 61}, .generations = 6};
    for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
        setup.boundary = boundary;
        const State expected = expected_of<Spread, Blend>(setup.size, boundary, setup.generations);
        for (const Exchange& exchange : exchanges())
            for (const Allocation allocation : {Allocation::slab, Allocation::whole})
                for (const int depth : {1, 2, 3}) {
                    const std::vector<int> weights =
                        depth == 1 ? std::vector{9, 9, 43} : std::vector{3, 2, 4};
                    setup.division = {weights, allocation, depth, 4};
                    setup.exchange = exchange;
                    CAPTURE(name(exchange.path), exchange.overlap, depth, name(allocation),
                            boundary);
                    CHECK(is_right(spread_and_blend("shared_tile/64x4/align128"), setup, expected));
                }
    }
}

TEST_CASE("stripes may be as low as what they send", "[portable][group]") {
    // A generation reads three rows beyond its own.
    Setup setup{.size = {20, 15}};
    const State expected =
        expected_of<Spread, Blend>(setup.size, setup.boundary, setup.generations);
    setup.division.weights.assign(5, 1);
    for (const Exchange& exchange : exchanges()) {
        setup.exchange = exchange;
        CAPTURE(name(exchange.path), exchange.overlap);
        CHECK(is_right(spread_and_blend("halo/16x16/unaligned"), setup, expected));
    }
    setup.division.weights.assign(6, 1);
    CHECK_THROWS_WITH(is_right(spread_and_blend("halo/16x16/unaligned"), setup, expected),
                      contains("rows, and its neighbours need 3 of it"));
}

TEST_CASE("a group's work is recorded and replayed", "[portable][group]") {
    for (const ExchangePath path : {ExchangePath::copies, ExchangePath::stores})
        for (const bool overlap : {false, true})
            for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
                simt::HostQueue lead(1);
                const Size size{37, 29};
                const State initial = initial_state(size);
                const Division division{{1, 1, 1}, Allocation::slab, 1, 4};
                const auto pipeline = divide<RowPartition>(
                    std::make_unique<Group>(lead, std::vector{0, 0, 0}), Exchange{path, overlap},
                    Problem{size, boundary, ElementType::uint32},
                    spread_and_blend("halo/16x16/unaligned"), division);
                pipeline->upload(initial);
                const auto recording = lead.record([&] { pipeline->advance(4); });
                recording->replay();
                recording->replay();
                State result = initial;
                pipeline->download(result);
                CAPTURE(name(path), overlap);
                CHECK(same_bytes(result.field("cells"),
                                 expected_of<Spread, Blend>(size, boundary, 8).field("cells")));
            }
}

TEST_CASE("an exchange that forgets something is found out", "[portable][group][mutants]") {
    Setup setup{.generations = 16};
    setup.division = {{1, 1, 1}, Allocation::slab, 1, 4};
    const State expected =
        expected_of<Spread, Blend>(setup.size, setup.boundary, setup.generations);
    const auto plans = spread_and_blend("halo/16x16/unaligned");
    for (const bool overlap : {false, true}) {
        setup.exchange = {ExchangePath::copies, overlap};
        CAPTURE(overlap);
        setup.make = forgets<Forgetful>;
        CHECK(is_right(plans, setup, expected));
        setup.make = forgets<SendsNothing>;
        CHECK_FALSE(is_right(plans, setup, expected));
        setup.make = forgets<SendsUpOnly>;
        CHECK_FALSE(is_right(plans, setup, expected));
        setup.make = forgets<WaitsForNothing>;
        CHECK_FALSE(is_right(plans, setup, expected));
        // The field has one buffer: rows that arrive early overwrite data that are still read.
        setup.make = forgets<ReleasesAtOnce>;
        CHECK_FALSE(is_right(plans, setup, expected));
    }
}

TEST_CASE("what needs the whole board in one place is not divided", "[portable][group]") {
    const auto global = step_choices<Spread, TechniqueList<Global>>();
    const auto why = why_undivided({global.front()});
    REQUIRE(why);
    CHECK(*why == "step spread in technique global needs the whole board in one place");
    CHECK_FALSE(why_undivided(spread_and_blend("halo/16x16/unaligned")));
}

TEST_CASE("messages between devices need devices", "[group]") {
    CHECK_THROWS_WITH(run(spread_and_blend("halo/16x16/unaligned"),
                          {.division = {{1, 1}}, .exchange = {ExchangePath::nccl, true}}),
                      contains("NCCL sends messages between GPUs, and this backend has none"));
}

// Two devices without peer access.
class Apart : public Group {
  public:
    using Group::Group;
    bool reaches(int, int) const override { return false; }
};

TEST_CASE("places whose devices do not reach each other cannot store across",
          "[portable][registry][group]") {
    simt::HostQueue lead(1);
    const std::vector<int> devices{0, 1};
    const Apart apart(lead, devices);
    CHECK_THROWS_AS(check_stores_reach(apart, 1, 0), Unsupported);
    CHECK_THROWS_WITH(check_stores_reach(apart, 1, 0),
                      "place 1 cannot store into the memory of place 0: their devices do not "
                      "reach each other, as copies need not");
    CHECK_NOTHROW(check_stores_reach(Group(lead, devices), 1, 0));
}

}  // namespace camber::row_partition_test
