// Warp collectives: shuffles, votes, masks.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::warp_test {

namespace {

constexpr unsigned everyone = 0xffffffffu;

enum class Shuffle { from, up, down, exclusive };

__global__ void shuffle_lanes(const Grid<int> result, Shuffle kind, int operand, int width) {
    const int value = 100 + threadIdx.x;
    int got = 0;
    if (kind == Shuffle::from) got = __shfl_sync(everyone, value, operand, width);
    if (kind == Shuffle::up) got = __shfl_up_sync(everyone, value, operand, width);
    if (kind == Shuffle::down) got = __shfl_down_sync(everyone, value, operand, width);
    if (kind == Shuffle::exclusive) got = __shfl_xor_sync(everyone, value, operand, width);
    result(0, threadIdx.x) = got;
}

// Source lane for `lane` according to the CUDA C++ Programming Guide: the warp is split into
// segments of `width` lanes that shuffle among themselves; a lane whose source is outside its
// segment gets its own value.
int expected_source(Shuffle kind, int lane, int operand, int width) {
    const int first = lane - lane % width;
    const int last = first + width - 1;
    switch (kind) {
        case Shuffle::from:
            return first + operand % width;
        case Shuffle::up:
            return lane - operand >= first ? lane - operand : lane;
        case Shuffle::down:
            return lane + operand <= last ? lane + operand : lane;
        case Shuffle::exclusive:  // may read from an earlier segment, but not from a later one
            return (lane ^ operand) <= last ? lane ^ operand : lane;
    }
    return -1;
}

TEST_CASE("shuffles hear the lanes that the programming guide says", "[simt][warp]") {
    simt::HostQueue queue(1);
    for (const Shuffle kind : {Shuffle::from, Shuffle::up, Shuffle::down, Shuffle::exclusive})
        for (const int width : {32, 16, 8})
            for (const int operand : {0, 1, 3, 7, 8, 15, 16, 31}) {
                CAPTURE(int(kind), width, operand);
                Board<int> result(64, 1);
                launch(queue, "shuffle", line(1, 64), shuffle_lanes, result.grid(), kind, operand,
                       width);
                for (int thread = 0; thread < 64; ++thread) {
                    const int warp = thread / 32 * 32;
                    const int source = warp + expected_source(kind, thread % 32, operand, width);
                    REQUIRE(result.cells[thread] == 100 + source);
                }
            }
}

TEST_CASE("lanes are counted through all three dimensions of a block", "[simt][warp]") {
    Board<int> result(64, 1);
    simt::HostQueue queue(1);
    void (*const kernel)(const Grid<int>) = [](const Grid<int> grid) {
        const int linear = threadIdx.x + 4 * (threadIdx.y + 4 * threadIdx.z);
        grid(0, linear) = __shfl_sync(everyone, linear, 17);
    };
    launch(queue, "kernel", {{1}, {4, 4, 4}}, kernel, result.grid());
    for (int thread = 0; thread < 64; ++thread)
        REQUIRE(result.cells[thread] == (thread < 32 ? 17 : 49));
}

TEST_CASE("a partial warp shuffles among the lanes it has", "[simt][warp]") {
    Board<int> result(44, 1);  // one full warp and one of 12 lanes
    simt::HostQueue queue(1);
    launch(queue, "shuffle", line(1, 44), shuffle_lanes, result.grid(), Shuffle::up, 1, 32);
    CHECK(result.cells[32] == 132);
    for (int thread = 33; thread < 44; ++thread) CHECK(result.cells[thread] == 100 + thread - 1);
}

template <class T>
__global__ void shuffle_type(const Grid<T> cells) {
    cells(0, threadIdx.x) = __shfl_xor_sync(everyone, T(cells(0, threadIdx.x)), 1);
}

template <class T>
void check_type(T a, T b) {
    Board<T> cells(32, 1, a);
    for (int i = 1; i < 32; i += 2) cells.cells[i] = b;
    simt::HostQueue queue(1);
    launch(queue, "shuffle_type", line(1, 32), shuffle_type<T>, cells.grid());
    CHECK(cells.cells[0] == b);
    CHECK(cells.cells[31] == a);
}

TEST_CASE("values of one to eight bytes are shuffled whole", "[simt][warp]") {
    check_type<unsigned char>(250, 3);
    check_type<short>(-32000, 5);
    check_type<float>(-0.1f, 1e30f);
    check_type<double>(-0.1, 1e300);
    check_type<long long>(-(1LL << 60) - 1, 1LL << 62);
}

__global__ void vote(const Grid<unsigned> result, unsigned voters) {
    const unsigned lane = threadIdx.x % 32;
    const int yes = voters >> lane & 1 ? 256 : 0;  // any nonzero value is a yes
    result(0, threadIdx.x) = __ballot_sync(everyone, yes);
    result(1, threadIdx.x) = __any_sync(everyone, yes);
    result(2, threadIdx.x) = __all_sync(everyone, yes);
}

TEST_CASE("votes count the lanes that exist and no others", "[simt][warp]") {
    simt::HostQueue queue(1);
    const auto check = [&](int threads, unsigned voters) {
        CAPTURE(threads, voters);
        Board<unsigned> result(threads, 3);
        launch(queue, "vote", line(1, threads), vote, result.grid(), voters);
        for (int thread = 0; thread < threads; ++thread) {
            const int lanes = std::min(32, threads - thread / 32 * 32);
            const unsigned existing = lanes == 32 ? everyone : (1u << lanes) - 1;
            REQUIRE(result.cells[thread] == (voters & existing));
            REQUIRE(result.cells[threads + thread] == unsigned((voters & existing) != 0));
            REQUIRE(result.cells[2 * threads + thread] ==
                    unsigned((voters & existing) == existing));
        }
    };
    for (const int threads : {64, 32, 20, 41, 1})
        for (const unsigned voters : {0u, everyone, 0x1ffu, 0x80000000u, 0x12345678u})
            check(threads, voters);
}

// The two halves of each warp diverge and reconverge.
__global__ void diverge(const Grid<int> result) {
    const int lane = threadIdx.x % 32;
    int value = lane;
    if (lane < 16) {
        for (int i = 0; i < 3; ++i) value += __shfl_xor_sync(0x0000ffffu, value, 1 << i);
    } else {
        value = __ballot_sync(0xffff0000u, lane % 2);
        __syncwarp(0xffff0000u);
    }
    __syncwarp();
    result(0, threadIdx.x) = __shfl_xor_sync(everyone, value, 16);
}

TEST_CASE("divergent halves with disjoint masks do not disturb each other", "[simt][warp]") {
    Board<int> result(64, 1);
    simt::HostQueue queue(1);
    launch(queue, "diverge", line(1, 64), diverge, result.grid());
    for (int thread = 0; thread < 64; ++thread) {
        const int lane = thread % 32;
        // In the lower half, groups of eight lanes have been summed.
        const int sum = (lane - 16) / 8 == 0 ? 28 : 92;
        REQUIRE(result.cells[thread] == (lane < 16 ? int(0xaaaa0000u) : sum));
    }
}

// After __syncwarp(), every lane sees the earlier writes of the others.
__global__ void exchange_through_tile(const Grid<int> result) {
    __shared__ Tile<int, 1, 32> tile;
    for (int round = 0; round < 4; ++round) {
        tile(0, threadIdx.x) = 10 * round + threadIdx.x;
        __syncwarp();
        const int got = tile(0, 31 - threadIdx.x);
        result(round, threadIdx.x) = got;
        __syncwarp();
    }
}

TEST_CASE("__syncwarp() orders the lanes' accesses", "[simt][warp]") {
    Board<int> result(32, 4);
    simt::HostQueue queue(1);
    launch(queue, "exchange", line(1, 32), exchange_through_tile, result.grid());
    for (int round = 0; round < 4; ++round)
        for (int lane = 0; lane < 32; ++lane)
            REQUIRE(result.cells[32 * round + lane] == 10 * round + 31 - lane);
}

std::string fault_of_kernel(void (*kernel)(), unsigned threads = 64) {
    simt::HostQueue queue(1);
    queue.set_label("toy/warp");
    return fault_of([&] { launch(queue, "kernel", line(2, threads), kernel); });
}

TEST_CASE("a lane missing from a collective is named", "[simt][warp]") {
    const std::string sentence = fault_of_kernel([] {
        if (threadIdx.x == 39) return;
        __shfl_sync(everyone, 1, 0);
    });
    CHECK_THAT(sentence, contains("toy/warp (kernel): block (0,0) thread (32,0)") &&
                             contains("lane 7 of its mask") && contains("[thread_test.cpp:"));
}

TEST_CASE("a lane that waits at a barrier is missing from a collective", "[simt][warp]") {
    CHECK_THAT(fault_of_kernel([] {
                   if (threadIdx.x % 32 != 3) __syncwarp();
                   __syncthreads();
               }),
               contains("lane 3"));
}

TEST_CASE("lanes that give different masks never meet", "[simt][warp]") {
    CHECK_THAT(
        fault_of_kernel([] { __ballot_sync(threadIdx.x < 16 ? 0x0000ffffu : everyone, 1); }, 32),
        contains("thread (16,0)") && contains("lane 0 of its mask"));
}

TEST_CASE("a mask that leaves out its caller is a fault", "[simt][warp]") {
    CHECK_THAT(fault_of_kernel([] { __ballot_sync(0xfffffffeu, 1); }),
               contains("block (0,0) thread (0,0)") && contains("mask leaves itself out"));
    CHECK_THAT(fault_of_kernel([] {
                   if (threadIdx.x >= 32) __syncwarp(0x000000ffu);
               }),
               contains("thread (40,0)") && contains("leaves itself out"));
}

TEST_CASE("two kinds of collective under one mask are a fault", "[simt][warp]") {
    CHECK_THAT(fault_of_kernel([] {
                   if (threadIdx.x % 2 == 0)
                       __ballot_sync(everyone, 1);
                   else
                       __shfl_sync(everyone, 1, 0);
               }),
               contains("thread (1,0)") && contains("another kind of warp collective"));
}

TEST_CASE("bits are counted as on the device", "[simt][warp]") {
    CHECK(__popc(0xf00fu) == 8);
    CHECK(__ffs(0) == 0);
    CHECK(__ffs(0x50) == 5);
    CHECK(__clz(1) == 31);
    CHECK(__clz(0) == 32);
}

}  // namespace
}  // namespace camber::warp_test
