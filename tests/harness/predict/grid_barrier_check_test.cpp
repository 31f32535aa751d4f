// The checker accounts for grid barriers, and finds the race if one is missing.
#include <map>
#include <utility>
#include <vector>

#include "harness/machine/kernel/synchronization.hpp"
#include "harness/predict/access_checker.hpp"
#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::grid_barrier_check_test {
namespace {

constexpr int blocks = 3;
constexpr int threads = 64;

// Each thread reads the value of the corresponding thread in the next block, then replaces its own.
// Grid barriers separate these steps. Shared memory is preserved across them.
__global__ void pass_on(const Grid<int> values, int rounds, bool waits_to_store,
                        bool waits_to_load) {
    __shared__ Tile<int, 1, threads> kept;
    const int all = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    kept(0, threadIdx.x) = thread;
    for (int round = 0; round < rounds; ++round) {
        const int next = values(0, (thread + threads) % all);
        if (waits_to_store) grid_barrier();
        values(0, thread) = next + kept(0, threadIdx.x);
        if (waits_to_load) grid_barrier();
    }
}

// Threads of a block exchange values through shared memory. The only barrier is the grid's, which
// separates their stores and loads if `waits`.
__global__ void exchange_in_block(const Grid<int> values, bool waits) {
    __shared__ Tile<int, 1, threads> kept;
    kept(0, threadIdx.x) = threadIdx.x;
    if (waits) grid_barrier();
    values(0, blockIdx.x * blockDim.x + threadIdx.x) = kept(0, (threadIdx.x + 32) % threads);
    if (!waits) grid_barrier();
}

template <class Work>
std::vector<Finding> findings_of(const Work& work) {
    AccessChecker checker(1);
    simt::HostQueue queue(1);
    queue.executor().set_recorder(&checker);
    LaunchShape shape = line(blocks, threads);
    shape.cooperative = true;
    Board<int> values(blocks * threads, 1);
    work(queue, shape, values.grid("values"));
    return checker.findings();
}

std::vector<Finding> findings_of_pass_on(bool waits_to_store, bool waits_to_load) {
    return findings_of([&](Queue& queue, const LaunchShape& shape, const Grid<int>& values) {
        launch(queue, "pass_on", shape, pass_on, values, 3, waits_to_store, waits_to_load);
    });
}

TEST_CASE("a grid barrier orders the blocks before and after it", "[check][grid_barrier]") {
    const auto clean =
        findings_of([](Queue& queue, const LaunchShape& shape, const Grid<int>& values) {
            launch(queue, "exchange", shape, exchange_in_block, values, true);
            launch(queue, "exchange", shape, exchange_in_block, values, true);
        });
    CHECK(clean.empty());
    CHECK(findings_of_pass_on(true, true).empty());
}

TEST_CASE("a grid barrier that is missing shows as a race of blocks", "[check][grid_barrier]") {
    for (const auto& [waits_to_store, waits_to_load] : {std::pair{false, true}, {true, false}}) {
        CAPTURE(waits_to_store, waits_to_load);
        const auto found = findings_of_pass_on(waits_to_store, waits_to_load);
        REQUIRE(found.size() == 2);  // stores after loads, and loads after stores
        for (const Finding& finding : found) CHECK(finding.kind == FindingKind::block_race);
        CHECK(found.front().examples.at(0).threads ==
              "block (0,0) thread (0,0) loads, block (1,0) thread (0,0) stores");
        CHECK(found.front().examples[0].address == "row 0, column 64 of field `values`");
    }
}

TEST_CASE("blocks that take turns race in their own shared memory only", "[check][grid_barrier]") {
    const auto found =
        findings_of([](Queue& queue, const LaunchShape& shape, const Grid<int>& values) {
            launch(queue, "exchange", shape, exchange_in_block, values, false);
        });
    // In each block, half of the threads load before the other half stores, and the rest
    // afterwards.
    std::map<FindingKind, std::uint64_t> counts;
    for (const Finding& finding : found) counts[finding.kind] += finding.count;
    CHECK(counts == std::map<FindingKind, std::uint64_t>{
                        {FindingKind::shared_race, blocks * threads},
                        {FindingKind::unwritten_shared, blocks * threads / 2}});
}

}  // namespace
}  // namespace camber::grid_barrier_check_test
