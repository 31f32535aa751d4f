// Clusters on the executor: membership, barriers, distributed shared memory, faults, and recorded
// accesses.
#include "harness/machine/kernel/cluster.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "harness/machine/kernel/tile.hpp"
#include "harness/predict/trace_launches.hpp"
#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::cluster_test {
namespace {

constexpr int threads = 40;

LaunchShape clusters(const Extent& grid, const Extent& cluster, std::size_t dynamic_shared = 0) {
    LaunchShape shape{grid, {threads}, dynamic_shared};
    shape.cluster = cluster;
    return shape;
}

CAMBER_DEVICE int linear_block() {
    return static_cast<int>(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
}

__global__ void write_ranks(const Grid<int> ranks) {
    if (threadIdx.x == 0)
        ranks(0, linear_block()) = static_cast<int>(10 * cluster_size() + cluster_rank());
}

TEST_CASE("ranks count along x first", "[simt][cluster]") {
    simt::HostQueue queue(2);
    const auto ranks = [&](const Extent& grid, const Extent& cluster) {
        Board<int> board(static_cast<int>(grid.count()), 1);
        launch(queue, "ranks", clusters(grid, cluster), write_ranks, board.grid());
        return board.cells;
    };
    CHECK(ranks({4}, {2}) == std::vector{20, 21, 20, 21});
    CHECK(ranks({4, 2}, {2, 2}) == std::vector{40, 41, 40, 41, 42, 43, 42, 43});
    CHECK(ranks({2, 1, 3}, {1, 1, 3}) == std::vector{30, 30, 31, 31, 32, 32});
    CHECK(ranks({3}, {}) == std::vector{10, 10, 10});
}

// In every round, each block copies the values of the next block of its cluster, alternately from a
// tile and from dynamic shared memory; the first access to the tile is by different warps in
// different blocks.
__global__ void rotate_cluster(const Grid<int> result, int rounds) {
    __shared__ Tile<int, 2, threads> odd;
    const DynamicShared<int> even(threads);
    const int thread = threadIdx.x;
    const unsigned next = (cluster_rank() + 1) % cluster_size();
    even(thread) = linear_block() * threads + thread;
    cluster_barrier();
    for (int round = 0; round < rounds; ++round) {
        if (round % 2 == 0)
            odd(1, thread) = map_shared_rank(even, next)(thread);
        else
            even(thread) = map_shared_rank(odd, next)(1, thread);
        cluster_barrier();
    }
    const int last = rounds % 2 == 0 ? even(thread) : odd(1, thread);
    result(linear_block(), thread) = last;
}

TEST_CASE("blocks read each other's shared memory between barriers", "[simt][cluster]") {
    for (const int cpu_threads : {1, 3})
        for (const int rounds : {1, 2, 7, 30}) {
            Board<int> result(threads, 24);
            simt::HostQueue queue(cpu_threads);
            launch(queue, "rotate", clusters({2, 3, 4}, {1, 1, 4}, threads * sizeof(int)),
                   rotate_cluster, result.grid(), rounds);
            for (int block = 0; block < 24; ++block)
                for (int thread = 0; thread < threads; ++thread) {
                    const int from = block % 6 + 6 * ((block / 6 + rounds) % 4);
                    REQUIRE(result.cells[block * threads + thread] == from * threads + thread);
                }
        }
}

TEST_CASE("a block of a plain launch is a cluster of its own", "[simt][cluster]") {
    Board<int> result(threads, 2);
    simt::HostQueue queue(1);
    launch(queue, "alone", clusters({2}, {}, threads * sizeof(int)), rotate_cluster, result.grid(),
           3);
    std::vector<int> expected(2 * threads);
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(result.cells == expected);
}

// Adds to the memory of the first block, and stores into the memory of the last one.
__global__ void gather(const Grid<int> sums) {
    __shared__ Tile<int, 1, 2> sum;
    if (threadIdx.x == 0) sum(0, 0) = sum(0, 1) = 0;
    cluster_barrier();
    atomicAdd(&map_shared_rank(sum, 0)(0, 0), 1);
    if (threadIdx.x == 0 && cluster_rank() == 0) map_shared_rank(sum, cluster_size() - 1)(0, 1) = 7;
    cluster_barrier();
    if (threadIdx.x == 0) sums(blockIdx.x, 0) = 10 * sum(0, 0) + sum(0, 1);
}

TEST_CASE("blocks write into each other's shared memory", "[simt][cluster]") {
    Board<int> sums(1, 3);
    simt::HostQueue queue(1);
    launch(queue, "gather", clusters({3}, {3}), gather, sums.grid());
    CHECK(sums.cells == std::vector{10 * 3 * threads, 0, 7});
}

// In each block below `blocks`, the threads below `coming` reach the barrier.
__global__ void some_come(unsigned blocks, unsigned coming) {
    if (blockIdx.x < blocks && threadIdx.x < coming) cluster_barrier();
}

__global__ void come_elsewhere() {
    if (blockIdx.x == 2) {
        cluster_barrier();
    } else {
        cluster_barrier();
    }
}

TEST_CASE("whoever misses a cluster barrier is named", "[simt][cluster]") {
    simt::HostQueue queue(1);
    const LaunchShape shape = clusters({4}, {4});
    const auto fault = [&](unsigned blocks, unsigned coming) {
        return fault_of([&] { launch(queue, "some", shape, some_come, blocks, coming); });
    };
    CHECK(fault(4, threads).empty());
    CHECK_THAT(fault(3, threads),
               contains("block (0,0) thread (0,0): cluster_barrier() was reached by 3 of 4 blocks; "
                        "block (3,0) has returned without it [cluster_test.cpp:"));
    CHECK_THAT(fault(4, 31), contains("cluster_barrier() was reached by 31 of 40 threads; thread "
                                      "(31,0) has returned without it"));
    CHECK_THAT(fault_of([&] { launch(queue, "two", shape, come_elsewhere); }),
               contains("cluster_barrier() was reached by 3 of 4 blocks; block (2,0) waits at "
                        "another one, cluster_test.cpp:"));
    // The executor still works.
    CHECK(fault(4, threads).empty());
}

enum class Wrong { not_begun, ended, no_such_block, outside };

__global__ void goes_wrong(const Grid<int> out, Wrong wrong) {
    __shared__ Tile<int, 1, threads> tile;
    tile(0, threadIdx.x) = 1;
    if (wrong != Wrong::not_begun) cluster_barrier();
    const unsigned other = wrong == Wrong::no_such_block ? ~0u : 1 - cluster_rank();
    const int column = wrong == Wrong::outside ? threads : threadIdx.x;
    // The block whose memory is read runs longest.
    if (cluster_rank() == 0) out(0, threadIdx.x) = map_shared_rank(tile, other)(0, column);
    if (wrong != Wrong::ended) cluster_barrier();
}

TEST_CASE("what is wrong with another block's shared memory is said", "[simt][cluster]") {
    const struct {
        Wrong wrong;
        const char* sentence;
    } cases[] = {
        {Wrong::not_begun,
         "block (0,0) thread (0,0): touches the shared memory of block (1,0) before a "
         "cluster_barrier() tells that the block has begun"},
        {Wrong::ended,
         "touches the shared memory of block (1,0), which may have ended: no cluster_barrier() "
         "comes between"},
        {Wrong::no_such_block, "asks for the shared memory of block -1 of a cluster that has 2"},
        {Wrong::outside, "row 0, column 40 of a shared tile of 1 rows and 40 columns"},
    };
    Board<int> out(threads, 1);
    for (const auto& [wrong, sentence] : cases) {
        CAPTURE(sentence);
        simt::HostQueue queue(1);
        CHECK_THAT(fault_of([&] {
                       launch(queue, "wrong", clusters({2}, {2}), goes_wrong, out.grid(), wrong);
                   }),
                   contains(sentence) && contains("cluster_test.cpp:"));
    }
}

TEST_CASE("impossible clusters are not launched", "[simt][cluster]") {
    simt::HostQueue queue(1);
    const auto fault = [&](LaunchShape shape) {
        return fault_of([&] { launch(queue, "never", shape, some_come, 0u, 0u); });
    };
    CHECK_THAT(fault(clusters({9}, {9})),
               contains("cannot be launched: a cluster of 9 blocks, but 1 to 8 can be one"));
    CHECK_THAT(fault(clusters({4}, {0})), contains("a cluster of 0 blocks"));
    CHECK_THAT(
        fault(clusters({4, 3}, {2, 2})),
        contains("a grid of (4,3,1) blocks, which is no whole number of clusters of (2,2,1)"));
    LaunchShape both = clusters({4}, {2});
    both.cooperative = true;
    CHECK_THAT(fault(both), contains("clusters of blocks that all wait for each other"));
}

TEST_CASE("a cluster runs whole or not at all", "[simt][cluster]") {
    Board<int> ranks(6, 1, -1);
    simt::HostQueue queue(1);
    queue.executor().set_block_filter([](std::uint64_t block) { return block == 3; });
    launch(queue, "ranks", clusters({6}, {2}), write_ranks, ranks.grid());
    queue.executor().set_block_filter({});
    CHECK(ranks.cells == std::vector{-1, -1, 20, 21, -1, -1});
}

// Launch with a filter that accepts block 3 and also runs the others.
TEST_CASE("blocks that are not chosen run unheard where they are to run", "[simt][cluster]") {
    const unsigned together = GENERATE(1u, 2u);
    Board<int> ranks(6, 1, -1);
    simt::HostQueue queue(1);
    std::set<unsigned> heard;
    WarpRequests requests([&](simt::SiteId, const WarpRequest&, const simt::Index3& block) {
        heard.insert(block.x);
    });
    queue.executor().set_recorder(&requests);
    queue.executor().set_block_filter([](std::uint64_t block) { return block == 3; }, true);
    launch(queue, "ranks", clusters({6}, {together}), write_ranks, ranks.grid());
    queue.executor().set_block_filter({});
    queue.executor().set_recorder(nullptr);
    CHECK(std::ranges::count(ranks.cells, -1) == 0);
    CHECK(heard == (together == 1 ? std::set<unsigned>{3} : std::set<unsigned>{2, 3}));
}

// Accesses of a block are reported when it ends, all at once, whatever its cluster's other blocks
// do in the meantime.
TEST_CASE("requests of the blocks of a cluster are told apart", "[simt][cluster]") {
    constexpr int rounds = 4;
    Board<int> result(threads, 4);
    simt::HostQueue queue(1);
    std::vector<unsigned> order;
    std::map<Space, int> loads, stores;
    WarpRequests requests([&](simt::SiteId, const WarpRequest& request, const simt::Index3& block) {
        if (order.empty() || order.back() != block.x) order.push_back(block.x);
        ++(request.operation == Operation::load ? loads : stores)[request.space];
    });
    queue.executor().set_recorder(&requests);
    launch(queue, "rotate", clusters({4}, {2}, threads * sizeof(int)), rotate_cluster,
           result.grid(), rounds);
    queue.executor().set_recorder(nullptr);
    CHECK(order == std::vector<unsigned>{0, 1, 2, 3});
    // From the two warps of a block.
    CHECK(loads[Space::distributed] == 4 * 2 * rounds);
    CHECK(loads[Space::shared] == 4 * 2);
    CHECK(stores[Space::shared] == 4 * 2 * (rounds + 1));
    CHECK(stores[Space::distributed] == 0);
    CHECK(stores[Space::global] == 4 * 2);
}

struct Log final : simt::Recorder {
    std::vector<simt::Access> distributed;
    void record(const simt::Access& access) override {
        if (access.space == Space::distributed) distributed.push_back(access);
    }
};

TEST_CASE("an access to another block's shared memory names the block", "[simt][cluster]") {
    Board<int> result(threads, 2);
    simt::HostQueue queue(1);
    Log log;
    queue.executor().set_recorder(&log);
    launch(queue, "rotate", clusters({2}, {2}, threads * sizeof(int)), rotate_cluster,
           result.grid(), 1);
    REQUIRE(log.distributed.size() == 2 * threads);
    for (std::size_t i = 0; i < log.distributed.size(); ++i) {
        const simt::Access& access = log.distributed[i];
        CHECK(access.owner == 1 - access.block.x);
        CHECK(access.cluster_barrier == 1);
        CHECK(access.size == sizeof(int));
        CHECK(reinterpret_cast<std::uintptr_t>(access.address) == sizeof(int) * access.thread);
    }
}

}  // namespace
}  // namespace camber::cluster_test
