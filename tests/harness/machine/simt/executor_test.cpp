// Threads, blocks and launches on the executor.
#include "harness/machine/simt/executor.hpp"

#include <atomic>
#include <stdexcept>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::executor_test {
namespace {

// Every thread stores its identity: in the row of its block, the column of its thread.
struct Identity {
    simt::Index3 thread, block;
    simt::Extent3 block_size, grid_size;
    int visits = 0;
};

__global__ void identify(const Grid<Identity> grid) {
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    Identity me = grid(block, thread);
    me.thread = threadIdx;
    me.block = blockIdx;
    me.block_size = blockDim;
    me.grid_size = gridDim;
    ++me.visits;
    grid(block, thread) = me;
}

void check_identities(const LaunchShape& shape) {
    const auto count = [](const Extent& e) { return static_cast<int>(e.x * e.y * e.z); };
    Board<Identity> board(count(shape.block), count(shape.grid));
    simt::HostQueue queue(2);
    launch(queue, "identify", shape, identify, board.grid());

    std::size_t at = 0;
    for (unsigned bz = 0; bz < shape.grid.z; ++bz)
        for (unsigned by = 0; by < shape.grid.y; ++by)
            for (unsigned bx = 0; bx < shape.grid.x; ++bx)
                for (unsigned tz = 0; tz < shape.block.z; ++tz)
                    for (unsigned ty = 0; ty < shape.block.y; ++ty)
                        for (unsigned tx = 0; tx < shape.block.x; ++tx) {
                            const Identity& seen = board.cells[at++];
                            REQUIRE(seen.visits == 1);
                            REQUIRE(seen.thread == simt::Index3{tx, ty, tz});
                            REQUIRE(seen.block == simt::Index3{bx, by, bz});
                            REQUIRE(seen.block_size.count() == board.layout.columns + 0u);
                            REQUIRE(seen.block_size.x == shape.block.x);
                            REQUIRE(seen.block_size.y == shape.block.y);
                            REQUIRE(seen.grid_size.x == shape.grid.x);
                            REQUIRE(seen.grid_size.y == shape.grid.y);
                            REQUIRE(seen.grid_size.z == shape.grid.z);
                        }
}

TEST_CASE("every thread runs exactly once and knows its place", "[simt]") {
    SECTION("in one dimension") {
        check_identities({{5}, {37}});
    }
    SECTION("in two dimensions") {
        check_identities({{3, 4}, {8, 5}});
    }
    SECTION("in three dimensions") {
        check_identities({{2, 3, 4}, {3, 2, 5}});
    }
    SECTION("alone") {
        check_identities({{1}, {1}});
    }
    SECTION("in the largest block") {
        check_identities({{2}, {32, 32}});
    }
}

__global__ void count_block(const Grid<int> visits) {
    const int value = visits(0, blockIdx.x);
    visits(0, blockIdx.x) = value + 1;
}

TEST_CASE("a launch of ten thousand blocks runs each of them once", "[simt]") {
    Board<int> visits(10000, 1);
    simt::HostQueue queue(3);
    launch(queue, "count_block", line(10000, 1), count_block, visits.grid());
    CHECK(visits.cells == std::vector<int>(10000, 1));
}

// Combines barriers, shared memory and shuffles, so that a difference in scheduling would change
// the result.
__global__ void scramble(const Grid<const unsigned> from, const Grid<unsigned> to) {
    __shared__ Tile<unsigned, 2, 96> tile;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    tile(0, threadIdx.x) = from(0, column) * 2654435761u + blockIdx.x;
    __syncthreads();
    unsigned value = tile(0, (threadIdx.x * 7 + 5) % blockDim.x);
    value ^= __shfl_xor_sync(0xffffffffu, value, 3);
    tile(1, threadIdx.x) = value;
    __syncthreads();
    to(0, column) = value + tile(1, blockDim.x - 1 - threadIdx.x);
}

TEST_CASE("results do not depend on the number of CPU threads", "[simt]") {
    Board<unsigned> from(96 * 50, 1);
    for (std::size_t i = 0; i < from.cells.size(); ++i) from.cells[i] = unsigned(i * i + 1);
    std::vector<std::vector<unsigned>> results;
    for (const int cpu_threads : {1, 2, 5}) {
        Board<unsigned> to(96 * 50, 1);
        simt::HostQueue queue(cpu_threads);
        CHECK(queue.executor().cpu_threads() == cpu_threads);
        launch(queue, "scramble", line(50, 96), scramble, from.view(), to.grid());
        results.push_back(to.cells);
    }
    CHECK(results[0] == results[1]);
    CHECK(results[0] == results[2]);
    CHECK(results[0][0] != results[0][1]);
}

__global__ void return_at_once() {}

TEST_CASE("a launch that no device accepts is a fault", "[simt]") {
    simt::HostQueue queue(1);
    queue.set_label("toy/variant");
    const auto sentence = [&](const LaunchShape& shape) {
        return fault_of([&] { launch(queue, "kernel", shape, return_at_once); });
    };
    CHECK(sentence({{1}, {1024}}) == "");
    CHECK_THAT(sentence({{1}, {1025}}), contains("toy/variant (kernel)") &&
                                            contains("1025 threads per block") &&
                                            contains("1024 is the most"));
    CHECK_THAT(sentence({{1}, {32, 33}}), contains("1056 threads"));
    CHECK_THAT(sentence({{1}, {2, 2, 65}}), contains("(2,2,65)"));
    CHECK_THAT(sentence({{1}, {0}}), contains("empty"));
    CHECK_THAT(sentence({{0, 3}, {1}}), contains("empty"));
    CHECK(sentence({{1}, {1}, simt::block_shared_limit}) == "");
    CHECK_THAT(sentence({{1}, {1}, simt::block_shared_limit + 1}),
               contains("232449 bytes of dynamic shared memory"));
    CHECK(sentence({{1, 65535}, {1}}) == "");
    CHECK_THAT(sentence({{1, 65536}, {1}}), contains("65535"));
    CHECK_THAT(sentence({{1, 1, 65536}, {1}}), contains("65535"));
    CHECK_THAT(sentence({{0xffffffffu, 2}, {1}}), contains("2147483647"));
}

TEST_CASE("a launch passes its arguments by value to every thread", "[simt]") {
    Board<int> board(40, 1);
    simt::HostQueue queue(1);
    void (*const kernel)(const Grid<int>, int, float) = [](const Grid<int> grid, int a, float b) {
        grid(0, threadIdx.x) = a + static_cast<int>(b * 4);
        a = -1;  // this thread's own copy
    };
    launch(queue, "kernel", line(1, 40), kernel, board.grid(), 3, 0.5f);
    CHECK(board.cells == std::vector<int>(40, 5));
}

__global__ void throw_in_block(int block) {
    __syncthreads();
    if (int(blockIdx.x) == block && threadIdx.x == 3) throw std::out_of_range("from the kernel");
    __syncthreads();
}

TEST_CASE("an exception of a kernel comes out of the launch", "[simt]") {
    for (const int cpu_threads : {1, 2, 5}) {
        simt::HostQueue queue(cpu_threads);
        CHECK_THROWS_WITH(launch(queue, "thrower", line(9, 8), throw_in_block, 4),
                          "from the kernel");
        CHECK_THROWS_AS(launch(queue, "thrower", line(9, 8), throw_in_block, 0), std::out_of_range);
        // The queue still works.
        check_identities({{3}, {8}});
        CHECK_NOTHROW(launch(queue, "thrower", line(9, 8), throw_in_block, -1));
    }
}

std::atomic<int> alive = 0;

struct Counted {
    Counted() { ++alive; }
    ~Counted() { --alive; }
};

__global__ void hold_and_fault(const Grid<int> grid) {
    const Counted counted;
    __syncthreads();
    if (threadIdx.x == 60) grid(5, 0) = 1;
    __syncthreads();
}

TEST_CASE("threads that a fault leaves waiting are unwound", "[simt]") {
    Board<int> board(4, 4);
    simt::HostQueue queue(2);
    for (int i = 0; i < 20; ++i) {
        CHECK(fault_of([&] { launch(queue, "hold", line(6, 64), hold_and_fault, board.grid()); }) !=
              "");
        CHECK(alive == 0);
    }
}

TEST_CASE("what was launched is told once per kernel", "[simt]") {
    simt::HostQueue queue(1);
    for (int i = 0; i < 3; ++i) launch(queue, "a", {{2, 3}, {4, 5}, 64}, return_at_once);
    launch(queue, "b", line(7, 9), return_at_once);
    const auto facts = queue.take_kernel_facts();
    REQUIRE(facts.size() == 2);
    CHECK(facts[0].name == "a");
    CHECK(facts[0].grid[1] == 3);
    CHECK(facts[0].block[0] == 4);
    CHECK(facts[0].dynamic_shared == 64);
    CHECK(facts[1].name == "b");
    CHECK(queue.take_kernel_facts().empty());
}

}  // namespace
}  // namespace camber::executor_test
