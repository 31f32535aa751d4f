// grid_barrier(): memory order among the blocks of a cooperative launch, faults of threads that
// miss it, and recorded accesses.
#include "harness/machine/kernel/synchronization.hpp"

#include <numeric>
#include <vector>

#include "harness/machine/kernel/launch.hpp"
#include "harness/predict/trace_launches.hpp"
#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::grid_barrier_test {
namespace {

LaunchShape cooperative(unsigned blocks, unsigned threads) {
    LaunchShape shape = line(blocks, threads);
    shape.cooperative = true;
    return shape;
}

// In every round, each thread of the grid copies the value of the next one, which may be in another
// block; a block's shared memory keeps its content across barriers.
__global__ void rotate_grid(const Grid<int> a, const Grid<int> b, int rounds) {
    __shared__ Tile<int, 1, 64> own;
    const int threads = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    own(0, threadIdx.x) = thread;
    for (int round = 0; round < rounds; ++round) {
        const Grid<int>& from = round % 2 == 0 ? a : b;
        const Grid<int>& to = round % 2 == 0 ? b : a;
        const int next = from(0, (thread + 1) % threads);
        to(0, thread) = next;
        grid_barrier();
    }
    const Grid<int>& result = rounds % 2 == 0 ? a : b;
    const int value = result(0, thread);
    result(0, thread) = value - own(0, threadIdx.x);
}

TEST_CASE("blocks see after a grid barrier what others wrote before it", "[simt][grid_barrier]") {
    constexpr int blocks = 5, threads = 40, all = blocks * threads;
    Board<int> a(all, 1), b(all, 1);
    std::iota(a.cells.begin(), a.cells.end(), 0);
    simt::HostQueue queue(2);
    launch(queue, "rotate", cooperative(blocks, threads), rotate_grid, a.grid(), b.grid(), 302);
    for (int i = 0; i < all; ++i) REQUIRE(a.cells[i] == (i + 302) % all - i);
}

// In each block below `blocks`, the threads below `coming` reach the barrier.
__global__ void some_come(unsigned blocks, unsigned coming) {
    if (blockIdx.x < blocks && threadIdx.x < coming) grid_barrier();
}

// Blocks wait at two different barriers.
__global__ void come_elsewhere() {
    if (blockIdx.x == 2) {
        grid_barrier();
    } else {
        grid_barrier();
    }
}

// Some threads wait for their block, others for the grid.
__global__ void come_to_either() {
    if (threadIdx.x < 3) {
        __syncthreads();
    } else {
        grid_barrier();
    }
}

TEST_CASE("whoever misses a grid barrier is named", "[simt][grid_barrier]") {
    simt::HostQueue queue(1);
    const auto fault = [&](unsigned blocks, unsigned coming) {
        return fault_of(
            [&] { launch(queue, "some", cooperative(4, 32), some_come, blocks, coming); });
    };
    CHECK(fault(4, 32).empty());
    CHECK_THAT(fault(3, 32),
               contains("block (0,0) thread (0,0): grid_barrier() was reached by 3 of 4 blocks; "
                        "block (3,0) has returned without it [grid_barrier_test.cpp:"));
    CHECK_THAT(fault(4, 31),
               contains("block (0,0) thread (0,0): grid_barrier() was reached by 31 of 32 threads; "
                        "thread (31,0) has returned without it"));
    CHECK_THAT(fault_of([&] { launch(queue, "two", cooperative(4, 32), come_elsewhere); }),
               contains("grid_barrier() was reached by 3 of 4 blocks; block (2,0) waits at another "
                        "one, grid_barrier_test.cpp:"));
    CHECK_THAT(fault_of([&] { launch(queue, "either", cooperative(2, 32), come_to_either); }),
               contains("__syncthreads() was reached by 3 of 32 threads; thread (3,0) waits at "
                        "another one, grid_barrier_test.cpp:"));
    // The executor still works.
    CHECK(fault(4, 32).empty());
}

TEST_CASE("a grid barrier needs a cooperative launch, and that one stacks for all its threads",
          "[simt][grid_barrier]") {
    simt::HostQueue queue(1);
    CHECK_THAT(fault_of([&] { launch(queue, "plain", line(1, 32), some_come, 1u, 32u); }),
               contains("comes to a grid_barrier() in a launch that is not cooperative"));
    CHECK_THAT(
        fault_of([&] { launch(queue, "many", cooperative(65, 256), some_come, 65u, 256u); }),
        contains("cannot be launched: 65 blocks of 256 threads wait for each other, but here at "
                 "most 16384 threads can, 64 such blocks: launch fewer and let each do more"));
}

TEST_CASE("as many blocks are resident as one multiprocessor holds", "[simt][grid_barrier]") {
    simt::HostQueue queue(1);
    CHECK(resident_blocks(queue, some_come, {{}, {16, 16}}) == 8);
    CHECK(resident_blocks(queue, some_come, {{}, {1024}}) == 2);
}

// Lane 5 omits its first load without calling skip(): only the barrier realigns the lanes.
__global__ void load_in_rounds(const Grid<const int> cells, const Grid<int> sums, int rounds) {
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
        if (round > 0 || threadIdx.x != 5) sum += cells(0, blockIdx.x * blockDim.x + threadIdx.x);
        grid_barrier();
    }
    sums(0, blockIdx.x * blockDim.x + threadIdx.x) = sum;
}

TEST_CASE("the requests of a cooperative launch are those of its parts", "[simt][grid_barrier]") {
    constexpr int blocks = 3, threads = 64, rounds = 4;
    Board<int> cells(blocks * threads, 1, 1), sums(blocks * threads, 1);
    simt::HostQueue queue(1);
    int loads = 0, stores = 0, lanes = 0;
    WarpRequests requests([&](simt::SiteId, const WarpRequest& request, const simt::Index3&) {
        (request.operation == Operation::load ? loads : stores) += 1;
        lanes += std::popcount(request.active);
    });
    queue.executor().set_recorder(&requests);
    launch(queue, "load", cooperative(blocks, threads), load_in_rounds, cells.view(), sums.grid(),
           rounds);
    queue.executor().set_recorder(nullptr);
    CHECK(loads == blocks * 2 * rounds);
    CHECK(stores == blocks * 2);
    CHECK(lanes == blocks * (threads * (rounds + 1) - 1));
}

TEST_CASE("a cooperative launch runs whole or not at all", "[simt][grid_barrier]") {
    Board<int> a(64, 1), b(64, 1);
    simt::HostQueue queue(1);
    const auto run = [&](auto chosen) {
        std::iota(a.cells.begin(), a.cells.end(), 0);
        queue.executor().set_block_filter(chosen);
        launch(queue, "rotate", cooperative(2, 32), rotate_grid, a.grid(), b.grid(), 2);
        queue.executor().set_block_filter({});
        return a.cells[3];
    };
    CHECK(run([](std::uint64_t) { return false; }) == 3);
    CHECK(run([](std::uint64_t block) { return block == 1; }) == 2);
}

}  // namespace
}  // namespace camber::grid_barrier_test
