// __syncthreads(): memory order, and faults of threads that miss it.
#include <numeric>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::barrier_test {
namespace {

constexpr int side = 16;

__global__ void transpose(const Grid<const int> from, const Grid<int> to) {
    __shared__ Tile<int, side, side + 1> tile;
    const int row = blockIdx.y * side;
    const int column = blockIdx.x * side;
    tile(threadIdx.y, threadIdx.x) = from(row + threadIdx.y, column + threadIdx.x);
    __syncthreads();
    to(column + threadIdx.y, row + threadIdx.x) = tile(threadIdx.x, threadIdx.y);
}

TEST_CASE("a tile staged before a barrier is complete after it", "[simt]") {
    Board<int> from(48, 32), to(32, 48);
    std::iota(from.cells.begin(), from.cells.end(), 0);
    simt::HostQueue queue(2);
    launch(queue, "transpose", {{3, 2}, {side, side}}, transpose, from.view(), to.grid());
    for (int row = 0; row < 32; ++row)
        for (int column = 0; column < 48; ++column)
            REQUIRE(to.cells[column * 32 + row] == from.cells[row * 48 + column]);
}

__global__ void sum_block(const Grid<const int> values, const Grid<int> sums) {
    __shared__ Tile<int, 1, 256> tile;
    tile(0, threadIdx.x) = values(blockIdx.x, threadIdx.x);
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) tile(0, threadIdx.x) += tile(0, threadIdx.x + half);
        __syncthreads();
    }
    if (threadIdx.x == 0) sums(0, blockIdx.x) = tile(0, 0);
}

TEST_CASE("a tree reduction sums every value once", "[simt]") {
    Board<int> values(256, 9), sums(9, 1);
    std::iota(values.cells.begin(), values.cells.end(), 1);
    simt::HostQueue queue(2);
    launch(queue, "sum", line(9, 256), sum_block, values.view(), sums.grid());
    for (int block = 0; block < 9; ++block) {
        const int first = block * 256 + 1;
        CHECK(sums.cells[block] == 256 * first + 255 * 256 / 2);
    }
}

// In every round, each thread copies its neighbor's value.
__global__ void rotate(const Grid<int> result, int rounds) {
    __shared__ Tile<int, 1, 40> ring;
    ring(0, threadIdx.x) = threadIdx.x;
    for (int round = 0; round < rounds; ++round) {
        __syncthreads();
        const int next = ring(0, (threadIdx.x + 1) % blockDim.x);
        __syncthreads();
        ring(0, threadIdx.x) = next;
    }
    result(0, threadIdx.x) = ring(0, threadIdx.x);
}

TEST_CASE("thousands of barriers keep the threads in step", "[simt]") {
    Board<int> result(40, 1);
    simt::HostQueue queue(1);
    launch(queue, "rotate", line(1, 40), rotate, result.grid(), 2017);
    for (int i = 0; i < 40; ++i) REQUIRE(result.cells[i] == (i + 2017) % 40);
}

constexpr int barrier_line = __LINE__ + 3;
__global__ void leave_early(unsigned block, unsigned stayers) {
    if (blockIdx.x == block && threadIdx.x >= stayers) return;
    __syncthreads();
}

TEST_CASE("a thread that returns before a barrier is named", "[simt]") {
    simt::HostQueue queue(2);
    queue.set_label("toy/early");
    const std::string sentence =
        fault_of([&] { launch(queue, "leave_early", line(4, 64), leave_early, 2u, 40u); });
    CHECK_THAT(sentence,
               contains("toy/early (leave_early): block (2,0) thread (0,0): __syncthreads() was "
                        "reached by 40 of 64 threads; thread (40,0) has returned without it") &&
                   contains("[barrier_test.cpp:" + std::to_string(barrier_line) + "]"));
    CHECK(fault_of([&] { launch(queue, "leave_early", line(4, 64), leave_early, 9u, 0u); }) == "");
    // All threads of a block may return together.
    CHECK(fault_of([&] { launch(queue, "leave_early", line(4, 64), leave_early, 2u, 0u); }) == "");
}

constexpr int lower_line = __LINE__ + 4;
constexpr int upper_line = __LINE__ + 5;
__global__ void part_ways() {
    if (threadIdx.y < 3)
        __syncthreads();
    else
        __syncthreads();
}

TEST_CASE("threads that wait at two barriers are named with both lines", "[simt]") {
    simt::HostQueue queue(1);
    const std::string sentence = fault_of([&] {
        launch(queue, "part_ways", {{1}, {8, 4}}, part_ways);
    });
    CHECK_THAT(sentence, contains("part_ways: block (0,0) thread (0,0)") &&
                             contains("reached by 24 of 32 threads; thread (0,3) waits at") &&
                             contains("barrier_test.cpp:" + std::to_string(upper_line)) &&
                             contains("[barrier_test.cpp:" + std::to_string(lower_line) + "]"));
}

// Two thirds of the threads reach one barrier too many.
__global__ void one_round_more(unsigned few) {
    for (unsigned round = 0; round < (threadIdx.x < few ? 3 : 4); ++round) __syncthreads();
}

TEST_CASE("one barrier more in some threads is a fault", "[simt]") {
    simt::HostQueue queue(1);
    CHECK_THAT(fault_of([&] { launch(queue, "loop", line(1, 96), one_round_more, 32u); }),
               contains("reached by 64 of 96 threads; thread (0,0) has returned"));
    CHECK(fault_of([&] { launch(queue, "loop", line(1, 96), one_round_more, 96u); }) == "");
}

__global__ void wait_for_the_returned() {
    if (threadIdx.x == 5) return;
    if (threadIdx.x < 32)
        __syncwarp();
    else
        __syncthreads();
}

TEST_CASE("waiting at a barrier and in a collective at once is a fault", "[simt]") {
    simt::HostQueue queue(1);
    CHECK_THAT(fault_of([&] { launch(queue, "mixed", line(1, 64), wait_for_the_returned); }),
               contains("thread (0,0)") && contains("lane 5"));
}

}  // namespace
}  // namespace camber::barrier_test
