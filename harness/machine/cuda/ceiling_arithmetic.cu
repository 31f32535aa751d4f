// Measures arithmetic rates, launch latency, and the instruction fetch rate of a warp by the size
// of its loop.
#include <array>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "harness/machine/cuda/ceiling_kernels.cuh"

namespace camber::cuda {

using namespace ceiling;

namespace {

constexpr unsigned chains = 8;           // independent dependency chains per thread
constexpr unsigned steps_per_loop = 32;  // keeps the loop's own instructions near 1 %

// Advances one of the values by an instruction that depends on the value's last state. Integer sums
// and logic also read neighboring values, because a chain with constants could be shortened; they
// are written in PTX, which is not optimized before the assembler.
template <Arithmetic kind, class T>
__device__ void advance(T (&x)[chains], unsigned i, T a, T b) {
    [[maybe_unused]] const T next = x[(i + 1) % chains];
    [[maybe_unused]] const T second = x[(i + 2) % chains];
    if constexpr (kind == Arithmetic::fp32_fma) x[i] = __fmaf_rn(x[i], a, b);
    if constexpr (kind == Arithmetic::fp64_fma) x[i] = __fma_rn(x[i], a, b);
    if constexpr (kind == Arithmetic::int32_add)
        asm volatile("add.u32 %0, %0, %1;" : "+r"(x[i]) : "r"(next));
    if constexpr (kind == Arithmetic::int32_multiply_add)
        asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x[i]) : "r"(a), "r"(b));
    if constexpr (kind == Arithmetic::lop3)  // x ^ (next & second)
        asm volatile("lop3.b32 %0, %0, %1, %2, 0x78;" : "+r"(x[i]) : "r"(next), "r"(second));
}

__device__ std::uint32_t bits(std::uint32_t value) {
    return value;
}
__device__ std::uint32_t bits(float value) {
    return __float_as_uint(value);
}
__device__ std::uint32_t bits(double value) {
    return static_cast<std::uint32_t>(__double2loint(value) ^ __double2hiint(value));
}

template <Arithmetic kind, class T>
__global__ void __launch_bounds__(block_threads)
    arithmetic_kernel(unsigned iterations, T a, T b, std::uint32_t* sink) {
    T x[chains];
#pragma unroll
    for (unsigned i = 0; i < chains; ++i) {
        const std::uint32_t word = noise(threadIdx.x * chains + i);
        if constexpr (std::is_integral_v<T>)
            x[i] = word;
        else
            x[i] = __uint_as_float(word);
    }
#pragma unroll 1
    for (unsigned k = 0; k < iterations; ++k) {
#pragma unroll
        for (unsigned step = 0; step < steps_per_loop * chains; ++step)
            advance<kind>(x, step % chains, a, b);
    }
    std::uint32_t sum = 0;
#pragma unroll
    for (unsigned i = 0; i < chains; ++i) sum ^= bits(x[i]);
    keep(sum, sink);
}

__global__ void empty_kernel() {}

// With a = -1 and b = 3, noise stays in [1, 2] forever; other factors would lead to a constant,
// which takes less power.
template <Arithmetic kind, class T>
double enqueue_chains(const CeilingTarget& target, unsigned iterations, T a, T b) {
    const auto kernel = arithmetic_kernel<kind, T>;
    const unsigned blocks = one_wave(target, kernel);
    launch(target, kernel, blocks, iterations, a, b, sink(target));
    const double per_step = std::is_floating_point_v<T> ? 2 : 1;
    return per_step * blocks * block_threads * chains * steps_per_loop * iterations;
}

}  // namespace

double enqueue_arithmetic(const CeilingTarget& target, Arithmetic kind, unsigned iterations) {
    switch (kind) {
        case Arithmetic::fp32_fma:
            return enqueue_chains<Arithmetic::fp32_fma>(target, iterations, -1.0f, 3.0f);
        case Arithmetic::fp64_fma:
            return enqueue_chains<Arithmetic::fp64_fma>(target, iterations, -1.0, 3.0);
        case Arithmetic::int32_add:
            return enqueue_chains<Arithmetic::int32_add>(target, iterations, 0u, 0u);
        case Arithmetic::int32_multiply_add:
            return enqueue_chains<Arithmetic::int32_multiply_add>(target, iterations, 0x9e3779b9u,
                                                                  0x7f4a7c15u);
        case Arithmetic::lop3:
            return enqueue_chains<Arithmetic::lop3>(target, iterations, 0u, 0u);
    }
    throw std::logic_error("an arithmetic without a kernel");
}

void enqueue_empty_kernel(const CeilingTarget& target) {
    launch(target, empty_kernel, 1);
}

EmptyKernelGraph::EmptyKernelGraph(const CeilingTarget& target, int nodes)
    : stream_(target.stream) {
    const char* const action = "capturing a graph of empty kernels";
    check(cudaStreamBeginCapture(stream(target), cudaStreamCaptureModeThreadLocal), action);
    for (int i = 0; i < nodes; ++i) enqueue_empty_kernel(target);
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream(target), &graph), action);
    cudaGraphExec_t executable = nullptr;
    const cudaError_t result = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    check(result, action);
    executable_ = executable;
}

EmptyKernelGraph::~EmptyKernelGraph() {
    cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(executable_));
}

void EmptyKernelGraph::enqueue() const {
    check(cudaGraphLaunch(static_cast<cudaGraphExec_t>(executable_),
                          static_cast<cudaStream_t>(stream_)),
          "launching a graph of empty kernels");
}

// Measures the instruction fetch rate of a warp, by the size of its loop.

using namespace ceiling;

namespace {

constexpr unsigned independent = 8;  // instructions that do not wait for each other
constexpr std::size_t kib = 1024;
constexpr std::size_t instruction = 16;  // bytes, from compute capability 7.0 on
// Minimum number of instructions, loop length times repeats.
constexpr unsigned long_enough = 1u << 14;
// Enough blocks per SM that the mean dominates, not the SM that finishes last.
constexpr unsigned blocks_of_sm = 16;

// Code sizes at and around the known capacities of instruction caches (instruction_fetch.txt in
// results/experiments).
constexpr std::array<std::size_t, 7> lengths{16 * kib, 32 * kib,  36 * kib, 40 * kib,
                                             64 * kib, 128 * kib, 160 * kib};

template <std::size_t bytes>
__global__ void __launch_bounds__(warp_threads)
    long_loop_kernel(unsigned rounds, float a, float b, std::uint32_t* sink) {
    // Moves the values to per-thread registers: uniform registers would have to be reloaded within
    // the loop.
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
