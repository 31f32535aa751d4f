// Bandwidth of a kernel that only moves the data of extrema_stack: six layers of floats in, four layers of
// bytes out, 28 bytes per cell. Bulk copies move rows, with some cells beyond both ends of a block's own, into a
// ring buffer in shared memory.
//
//     nvcc -O3 -std=c++17 -arch=sm_90 row_copies.cu -o row_copies && ./row_copies
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr int columns = 4096, rows = 4096, pitch = 4160, first_column = 32;
constexpr int layers = 6, results = 4, lane_cells = 4;

#define check(call) \
    if (const cudaError_t error = call; error != cudaSuccess) \
        std::printf("%s: %s\n", #call, cudaGetErrorString(error)), std::exit(1)

struct Stack {
    const float* layer[layers];
    unsigned char* result[results];
};

__device__ unsigned shared_address(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ uchar4 any_result(const float4& a, const float4& b) {
    return {static_cast<unsigned char>(a.x > b.x), static_cast<unsigned char>(a.y > b.y),
            static_cast<unsigned char>(a.z > b.z), static_cast<unsigned char>(a.w > b.w)};
}
__device__ void store(const Stack& stack, const float4 (&cells)[layers], int row, int column) {
#pragma unroll
    for (int m = 0; m < results; ++m)
        *reinterpret_cast<uchar4*>(stack.result[m] + std::size_t(row) * columns + column) =
            any_result(cells[m], cells[m + 2]);
}

// Loads into registers, a thread for four cells.
__global__ void __launch_bounds__(256) loads(Stack stack) {
    const int first = (blockIdx.x * 256 + threadIdx.x) * lane_cells;
    const int row = first / columns, column = first % columns;
    float4 cells[layers];
#pragma unroll
    for (int l = 0; l < layers; ++l)
        cells[l] = *reinterpret_cast<const float4*>(
            stack.layer[l] + std::size_t(row) * pitch + first_column + column);
    store(stack, cells, row, column);
}

template <int warps, int slots, int beside>
__global__ void __launch_bounds__(32 * warps) copies(Stack stack, int strip) {
    constexpr int cells = 32 * warps * lane_cells + 2 * beside;
    constexpr unsigned bytes = cells * sizeof(float);
    extern __shared__ __align__(128) float ring[];  // slots * layers rows, then a barrier a slot
    auto* const arrived = reinterpret_cast<std::uint64_t*>(ring + slots * layers * cells);
    const int first_row = blockIdx.y * strip, first = blockIdx.x * 32 * warps * lane_cells;
    const int count = min(strip, rows - first_row);
    if (threadIdx.x == 0)
        for (int slot = 0; slot < slots; ++slot)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.proxy.async.shared::cta;" ::"r"(
                             shared_address(arrived + slot))
                         : "memory");
    __syncthreads();
    const auto start = [&](int i) {
        if (i >= count || threadIdx.x != 0) return;
        const int slot = i % slots;
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                         shared_address(arrived + slot)),
                     "r"(layers * bytes)
                     : "memory");
        for (int l = 0; l < layers; ++l)
            asm volatile(
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
                    "r"(shared_address(ring + (slot * layers + l) * cells)),
                "l"(stack.layer[l] + std::size_t(first_row + i) * pitch + first_column + first -
                    beside),
                "r"(bytes), "r"(shared_address(arrived + slot))
                : "memory");
    };
    for (int i = 0; i < slots; ++i) start(i);
    for (int i = 0; i < count; ++i) {
        const int slot = i % slots;
        unsigned complete = 0;
        while (complete == 0)
            asm volatile(
                "{\n.reg .pred p;\n"
                "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                "selp.u32 %0, 1, 0, p;\n}"
                : "=r"(complete)
                : "r"(shared_address(arrived + slot)), "r"(i / slots % 2)
                : "memory");
        float4 own[layers];
#pragma unroll
        for (int l = 0; l < layers; ++l)
            own[l] = *reinterpret_cast<const float4*>(ring + (slot * layers + l) * cells + beside +
                                                      threadIdx.x * lane_cells);
        __syncthreads();
        start(i + slots);
        store(stack, own, first_row + i, first + threadIdx.x * lane_cells);
    }
}

// Microseconds of one of 20 in a row, of the fastest of eight times.
template <class Enqueue>
void measure(const char* name, const Enqueue& enqueue) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    constexpr int launches = 20;
    float least = 1e9f;
    for (int i = 0; i < 8; ++i) {
        check(cudaEventRecord(begin));
        for (int k = 0; k < launches; ++k) enqueue();
        check(cudaGetLastError());
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin, end));
        least = std::min(least, ms);
    }
    const double us = least / launches * 1e3;
    std::printf("%-44s %7.1f us %6.0f GB/s\n", name, us, 28e-3 * columns * rows / us);
    std::fflush(stdout);
}

// Resident blocks per SM: those that together have eight warps.
template <int warps, int slots, int beside>
void measure_copies(const Stack& stack, int strip) {
    constexpr int cells = 32 * warps * lane_cells + 2 * beside;
    constexpr int needed = slots * (layers * cells * sizeof(float) + sizeof(std::uint64_t));
    constexpr int share = (227 * 1024 / (8 / warps) - 1024) / 128 * 128;
    constexpr int bytes = std::max(needed, share);
    check(cudaFuncSetAttribute(copies<warps, slots, beside>,
                               cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    char name[80];
    std::snprintf(name, sizeof name, "%d warps, %2d cells beside, %d ahead, strips of %d", warps,
                  beside, slots, strip);
    const dim3 grid(columns / (32 * warps * lane_cells), (rows + strip - 1) / strip);
    measure(name, [&] { copies<warps, slots, beside><<<grid, 32 * warps, bytes>>>(stack, strip); });
}

int main() {
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    std::printf("%s, %d x %d cells, 28 bytes each\n", device.name, columns, rows);
    Stack stack{};
    constexpr std::size_t layer_bytes = sizeof(float) * pitch * rows;
    for (auto& layer : stack.layer) {
        float* memory = nullptr;
        check(cudaMalloc(&memory, layer_bytes));
        check(cudaMemset(memory, 1, layer_bytes));
        layer = memory;
    }
    for (auto& result : stack.result) check(cudaMalloc(&result, std::size_t(columns) * rows));
    void *from = nullptr, *to = nullptr;
    constexpr std::size_t half = std::size_t(14) * columns * rows;
    check(cudaMalloc(&from, half));
    check(cudaMalloc(&to, half));
    measure("the runtime's copy of as many bytes",
            [&] { (void)cudaMemcpyAsync(to, from, half, cudaMemcpyDeviceToDevice); });
    measure("loads into registers",
            [&] { loads<<<columns / lane_cells * rows / 256, 256>>>(stack); });
    measure_copies<2, 4, 0>(stack, 128);
    measure_copies<2, 4, 4>(stack, 128);
    measure_copies<2, 4, 8>(stack, 128);
    measure_copies<2, 4, 16>(stack, 128);
    measure_copies<2, 4, 32>(stack, 128);
    measure_copies<2, 2, 0>(stack, 128);
    measure_copies<2, 2, 4>(stack, 128);
    measure_copies<2, 2, 32>(stack, 128);
    measure_copies<4, 2, 4>(stack, 128);
    measure_copies<4, 2, 32>(stack, 128);
    measure_copies<2, 2, 32>(stack, 32);
    measure_copies<4, 2, 32>(stack, 32);
}
