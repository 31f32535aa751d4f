// Shared memory on the executor: separate for each block, poisoned, limited.
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::shared_memory_test {
namespace {

constexpr unsigned poison = 0xcbcbcbcb;

// Each block reads its tile before any write, then marks it.
__global__ void read_then_mark(const Grid<unsigned> first_seen) {
    __shared__ Tile<unsigned, 1, 32> tile;
    first_seen(blockIdx.x, threadIdx.x) = tile(0, threadIdx.x);
    tile(0, threadIdx.x) = 1000 + blockIdx.x;
}

TEST_CASE("a block finds poison in its shared memory, never another block's data", "[simt]") {
    for (const int cpu_threads : {1, 3}) {
        Board<unsigned> first_seen(32, 100);
        simt::HostQueue queue(cpu_threads);
        // Twice: the second launch must not see the first one's marks either.
        for (int launches = 0; launches < 2; ++launches) {
            launch(queue, "kernel", line(100, 32), read_then_mark, first_seen.grid());
            CHECK(first_seen.cells == std::vector<unsigned>(32 * 100, poison));
        }
    }
}

__global__ void share(const Grid<int> result) {
    __shared__ Tile<int, 1, 1> a;
    __shared__ Tile<double, 2, 3> b;
    __shared__ Tile<int, 1, 1> c;
    if (threadIdx.x == 0) a(0, 0) = 10 * blockIdx.x;
    if (threadIdx.x == 1) b(1, 2) = 0.5;
    if (threadIdx.x == 2) c(0, 0) = 7;
    __syncthreads();
    result(blockIdx.x, threadIdx.x) = a(0, 0) + c(0, 0) + int(2 * b(1, 2));
}

TEST_CASE("tiles are shared by a block's threads and do not overlap", "[simt]") {
    Board<int> result(64, 5);
    simt::HostQueue queue(2);
    launch(queue, "share", line(5, 64), share, result.grid());
    for (int block = 0; block < 5; ++block)
        for (int thread = 0; thread < 64; ++thread)
            REQUIRE(result.cells[block * 64 + thread] == 10 * block + 8);
}

template <int Bytes>
__global__ void take_static() {
    __shared__ Tile<std::uint8_t, 1, Bytes> tile;
    if (threadIdx.x == 0) tile(0, Bytes - 1) = 1;
}

__global__ void take_static_in_two() {
    __shared__ Tile<float, 96, 64> half;  // 24 KiB
    __shared__ Tile<float, 97, 64> more_than_half;
    half(0, 0) = 1;
    more_than_half(0, 0) = 1;
}

TEST_CASE("more than 48 KiB of static shared memory is a fault", "[simt]") {
    simt::HostQueue queue(1);
    const auto sentence = [&](void (*kernel)(), std::size_t dynamic) {
        return fault_of([&] { launch(queue, "greedy", line(2, 4, dynamic), kernel); });
    };
    CHECK(sentence(take_static<48 * 1024>, 0) == "");
    CHECK_THAT(sentence(take_static<48 * 1024 + 1>, 0),
               contains("greedy: block (0,0) thread (0,0)") && contains("49152 bytes") &&
                   contains("[shared_memory_test.cpp:"));
    CHECK_THAT(sentence(take_static_in_two, 0), contains("49152 bytes"));
    // Dynamic memory does not count towards the 48 KiB, but both together must fit the block's
    // limit.
    CHECK(sentence(take_static<48 * 1024>, 100 * 1024) == "");
    CHECK_THAT(sentence(take_static<48 * 1024>, 200 * 1024), contains("232448 bytes"));
}

__global__ void reverse_dynamic(const Grid<int> seen, const Grid<int> result) {
    const DynamicShared<int> first(blockDim.x);
    const DynamicShared<std::uint16_t> second(blockDim.x, blockDim.x * sizeof(int));
    seen(blockIdx.x, threadIdx.x) = first(threadIdx.x);
    first(threadIdx.x) = threadIdx.x;
    second(threadIdx.x) = 100;
    __syncthreads();
    const int other = blockDim.x - 1 - threadIdx.x;
    result(blockIdx.x, threadIdx.x) = first(other) + second(other) + blockIdx.x;
}

TEST_CASE("dynamic shared memory is the block's own and starts poisoned", "[simt]") {
    Board<int> seen(48, 7), result(48, 7);
    simt::HostQueue queue(2);
    launch(queue, "reverse", line(7, 48, 48 * 6), reverse_dynamic, seen.grid(), result.grid());
    CHECK(seen.cells == std::vector<int>(48 * 7, static_cast<int>(poison)));
    for (int block = 0; block < 7; ++block)
        for (int thread = 0; thread < 48; ++thread)
            REQUIRE(result.cells[block * 48 + thread] == 47 - thread + 100 + block);
}

__global__ void view_dynamic(int count, int offset, int index) {
    const DynamicShared<int> view(count, offset);
    view(index) = 1;
}

TEST_CASE("leaving the launch's dynamic shared memory is a fault", "[simt]") {
    simt::HostQueue queue(1);
    const auto sentence = [&](int count, int offset, int index) {
        return fault_of(
            [&] { launch(queue, "dynamic", line(1, 1, 64), view_dynamic, count, offset, index); });
    };
    CHECK(sentence(16, 0, 15) == "");
    CHECK(sentence(8, 32, 7) == "");
    CHECK_THAT(sentence(17, 0, 0),
               contains("dynamic: block (0,0) thread (0,0)") &&
                   contains("takes 68 bytes of dynamic shared memory from byte 0") &&
                   contains("gives 64"));
    CHECK_THAT(sentence(8, 36, 0),
               contains("takes 32 bytes of dynamic shared memory from byte 36"));
    CHECK_THAT(sentence(2, -4, 0), contains("from byte -4 on"));
    CHECK_THAT(sentence(16, 0, 16), contains("column 16") && contains("16 columns"));
    CHECK_THAT(sentence(16, 0, -1), contains("column -1"));
}

}  // namespace
}  // namespace camber::shared_memory_test
