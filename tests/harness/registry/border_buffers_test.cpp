// Exchange with one or two host buffers per edge.
#include <string>
#include <vector>

#include "harness/groups/pipeline_partitions.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/forgetful_exchange.hpp"
#include "tests/harness/registry/toy_plans.hpp"
#include "tests/harness/registry/toy_state.hpp"
#include "tests/harness/registry/toy_steps.hpp"
#include "tests/variants/group_runs.hpp"
#include "tests/workloads/core/rule_sequence.hpp"

namespace camber::border_buffers_test {
namespace {

using namespace toy;

bool is_right(const Exchange& exchange, const std::vector<int>& weights,
              const GroupExchange::HaloMaker& make = make_exchange) {
    constexpr Size size{61, 43};
    constexpr int generations = 24;
    State expected = initial_state(size);
    add_scratch<std::uint32_t>(expected, {"sums"});
    for (int g = 0; g < generations; ++g) run_rules<Spread, Blend>(expected, {Boundary::dead});
    simt::HostQueue lead(1);
    const State initial = initial_state(size);
    Division division;
    division.weights = weights;
    const auto pipeline = divide<RowPartition>(
        std::make_unique<Group>(lead, std::vector<int>(weights.size(), 0), nullptr,
                                exchange.host_wait),
        GroupExchange(exchange, make), Problem{size, Boundary::dead, ElementType::uint32},
        spread_and_blend("halo/16x16/unaligned"), division);
    pipeline->upload(initial);
    pipeline->advance(generations / 2);
    pipeline->advance(generations / 2);
    State result = initial;
    pipeline->download(result);
    return same_bytes(result.field("cells"), expected.field("cells"));
}

}  // namespace

TEST_CASE("one buffer for each edge is enough where the host waits twice",
          "[portable][group][staged]") {
    for (const ExchangePath path : {ExchangePath::staged, ExchangePath::pageable})
        for (const bool overlap : {false, true})
            for (const BorderBuffers buffers : {BorderBuffers::one, BorderBuffers::two})
                for (const HostWait wait : {HostWait::driver, HostWait::blocking, HostWait::busy}) {
                    CAPTURE(name(path), overlap, buffers == BorderBuffers::one, name(wait));
                    CHECK(is_right({path, overlap, buffers, wait}, {1, 1, 1, 1, 1}));
                    CHECK(is_right({path, overlap, buffers, wait}, {3, 1}));
                }
}

TEST_CASE("one buffer without the second wait is found out", "[portable][group][staged][mutants]") {
    const GroupExchange::HaloMaker hasty = forgets<ReleasesAtOnce>;
    for (const ExchangePath path : {ExchangePath::staged, ExchangePath::pageable}) {
        CAPTURE(name(path));
        CHECK_FALSE(is_right({path, true, BorderBuffers::one}, {1, 1, 1, 1, 1}, hasty));
        // With two buffers, the second wait is unnecessary.
        CHECK(is_right({path, true, BorderBuffers::two}, {1, 1, 1, 1, 1}, hasty));
    }
}

TEST_CASE("ways to wait have names", "[portable][group]") {
    for (const HostWait wait : {HostWait::driver, HostWait::blocking, HostWait::busy})
        CHECK(host_wait_named(name(wait)) == wait);
    CHECK_THROWS_WITH(host_wait_named("idle"), contains("choose driver, blocking or busy"));
    for (const Partition partition : partitions)
        CHECK(partition_named(name(partition)) == partition);
    CHECK_THROWS_WITH(partition_named("cubes"), contains("choose rows, columns or transposed"));
}

}  // namespace camber::border_buffers_test
