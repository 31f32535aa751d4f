// Measures arithmetic rates and launch latency.
#include <stdexcept>
#include <type_traits>

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

}  // namespace camber::cuda
