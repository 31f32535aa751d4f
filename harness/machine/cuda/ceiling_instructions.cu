// Measures the instruction fetch rate of a warp, by the size of its loop.
#include <array>
#include <cstddef>
#include <utility>

#include "harness/machine/cuda/launch_in_places.cuh"

namespace camber::cuda {

using namespace ceiling;

namespace {

constexpr unsigned independent = 8;  // no instruction waits for another
constexpr std::size_t kib = 1024;
constexpr std::size_t instruction = 16;     // bytes, from compute capability 7.0 on
constexpr unsigned long_enough = 1u << 14;  // instructions of a loop and its repeats, at least
// Enough blocks that the mean dominates, and not the SM that is served last.
constexpr unsigned blocks_of_sm = 16;

// Code sizes at and around the known capacities of instruction caches (instruction_fetch.txt in
// results/experiments).
constexpr std::array<std::size_t, 7> lengths{16 * kib, 32 * kib,  36 * kib, 40 * kib,
                                             64 * kib, 128 * kib, 160 * kib};

template <std::size_t bytes>
__global__ void __launch_bounds__(warp_threads)
    long_loop_kernel(unsigned rounds, float a, float b, std::uint32_t* sink) {
    // Registers of a lane: uniform ones would have to be loaded again within the loop.
    a = __shfl_sync(0xffffffffu, a, 0);
    b = __shfl_sync(0xffffffffu, b, 0);
    float x[independent];
#pragma unroll
    for (unsigned i = 0; i < independent; ++i)
        x[i] = __uint_as_float(noise(threadIdx.x * independent + i));
#pragma unroll 1
    for (unsigned round = 0; round < rounds; ++round) {
#pragma unroll
        for (unsigned i = 0; i < bytes / instruction; ++i)
            asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[i % independent]) : "f"(a), "f"(b));
    }
    std::uint32_t sum = 0;
#pragma unroll
    for (unsigned i = 0; i < independent; ++i) sum ^= __float_as_uint(x[i]);
    keep(sum, sink);
}

template <std::size_t bytes>
double enqueue_rounds(const CeilingTarget& target, unsigned loops) {
    const unsigned rounds =
        loops * static_cast<unsigned>((long_enough * instruction + bytes - 1) / bytes);
    const unsigned blocks = blocks_of_sm * static_cast<unsigned>(target.sm_count);
    launch_in_places(target, long_loop_kernel<bytes>, blocks, warp_threads, 1, rounds, -1.0f, 3.0f,
                     sink(target));
    return static_cast<double>(bytes) * rounds * blocks;
}

}  // namespace

std::span<const std::size_t> loop_lengths() {
    return lengths;
}

double enqueue_long_loop(const CeilingTarget& target, std::size_t bytes, unsigned loops) {
    double fetched = 0;
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        ((lengths[i] == bytes ? void(fetched = enqueue_rounds<lengths[i]>(target, loops)) : void()),
         ...);
    }
    (std::make_index_sequence<lengths.size()>());
    return fetched;
}

}  // namespace camber::cuda
