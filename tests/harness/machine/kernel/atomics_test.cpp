// CUDA's atomic functions on cells of grids and tiles.
#include <type_traits>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::atomics_test {
namespace {

template <class T>
__global__ void count_up(const Grid<T> grid, int cells) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&grid(0, i % cells), T(1));
}

TEMPLATE_TEST_CASE("no addition is lost between CPU threads", "[simt][atomics]", int, unsigned,
                   float, double) {
    Board<TestType> board(3, 1);
    simt::HostQueue queue(4);
    launch(queue, "count_up", line(200, 96), count_up<TestType>, board.grid(), 3);
    CHECK(board.cells == std::vector<TestType>(3, TestType(6400)));
}

__global__ void every_operation(const Grid<int> grid, const Grid<int> found) {
    found(0, 0) = atomicAdd(&grid(0, 0), -3);
    found(0, 1) = atomicMin(&grid(0, 1), -7);
    found(0, 2) = atomicMax(&grid(0, 2), -7);
    found(0, 3) = atomicExch(&grid(0, 3), 42);
    found(0, 4) = atomicCAS(&grid(0, 4), 12, 42);
    found(0, 5) = atomicCAS(&grid(0, 5), 11, 42);
    found(0, 6) = atomicOr(&grid(0, 6), 3);
    found(0, 7) = atomicAnd(&grid(0, 7), 6);
}

TEST_CASE("each operation changes the cell and returns what it found", "[simt][atomics]") {
    Board<int> board(8, 1, 12), found(8, 1);
    simt::HostQueue queue(1);
    launch(queue, "every_operation", line(1, 1), every_operation, board.grid(), found.grid());
    CHECK(board.cells == std::vector<int>{9, -7, 12, 42, 42, 12, 15, 4});
    CHECK(found.cells == std::vector<int>(8, 12));
}

__global__ void sum_in_tile(const Grid<unsigned> sums) {
    __shared__ Tile<unsigned, 1, 1> sum;
    if (threadIdx.x == 0) sum(0, 0) = 0;
    __syncthreads();
    atomicAdd(&sum(0, 0), threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(&sums(0, 0), sum(0, 0));
}

struct Operations final : simt::Recorder {
    std::vector<simt::Access> atomics;
    void record(const simt::Access& access) override {
        if (access.operation == Operation::atomic) atomics.push_back(access);
    }
};

TEST_CASE("an atomic is one access, recorded as such", "[simt][atomics][recording]") {
    Board<unsigned> sums(1, 1);
    simt::HostQueue queue(1);
    Operations operations;
    queue.executor().set_recorder(&operations);
    launch(queue, "sum_in_tile", line(1, 64), sum_in_tile, sums.grid());
    CHECK(sums.cells[0] == 63 * 64 / 2);
    REQUIRE(operations.atomics.size() == 65);
    for (int i = 0; i < 65; ++i) {
        CHECK(operations.atomics[i].space == (i < 64 ? Space::shared : Space::global));
        CHECK(operations.atomics[i].size == 4);
        CHECK(operations.atomics[i].occurrence == 0);
    }
}

}  // namespace
}  // namespace camber::atomics_test
