// What a warp takes for an instruction of a loop that is longer than the caches of instructions.
//
// Build and run on a machine with a GPU (compiling takes half a minute):
//   nvcc -O3 -std=c++20 -arch=native instruction_fetch.cu -o instruction_fetch &&
//   ./instruction_fetch
// Each multiprocessor runs a block of so many warps, which go round a loop of independent
// multiply-adds of 16 bytes each. No instruction waits for another.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

constexpr int independent = 8;

void must(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

// The first round brings the instructions.
template <int instructions>
__global__ void run(int rounds, float factor, float* sink, long long* cycles) {
    float sums[independent];
    for (int i = 0; i < independent; ++i) sums[i] = factor + i;
    long long begin = 0;
    for (int round = 0; round <= rounds; ++round) {
        if (round == 1) begin = clock64();
#pragma unroll
        for (int i = 0; i < instructions; ++i)
            asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(sums[i % independent]) : "f"(factor));
    }
    const long long end = clock64();
    float all = 0;
    for (const float sum : sums) all += sum;
    if (all == 0.5f) *sink = all;  // never
    if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
}

template <int instructions>
void print(int blocks, float* sink, long long* cycles) {
    std::printf("%5d KiB ", instructions * 16 / 1024);
    for (const int warps : {4, 8, 12, 16, 32}) {
        const int rounds = 2000000 / instructions + 2;
        run<instructions><<<blocks, 32 * warps>>>(rounds, 1.0f, sink, cycles);
        std::vector<long long> each(blocks);
        must(cudaMemcpy(each.data(), cycles, blocks * sizeof(long long), cudaMemcpyDeviceToHost));
        const double mean = std::accumulate(each.begin(), each.end(), 0.0) / blocks;
        std::printf(" %8.2f", mean / rounds / instructions);
    }
    std::printf("\n");
}

}  // namespace

int main() {
    cudaDeviceProp device;
    must(cudaGetDeviceProperties(&device, 0));
    const int blocks = device.multiProcessorCount;
    std::printf("%s: cycles from an instruction of a warp to its next\n", device.name);
    std::printf("a loop of  4 warps  8 warps 12 warps 16 warps 32 warps\n");
    float* sink = nullptr;
    long long* cycles = nullptr;
    must(cudaMalloc(&sink, sizeof(float)));
    must(cudaMalloc(&cycles, blocks * sizeof(long long)));
    print<1024>(blocks, sink, cycles);
    print<1536>(blocks, sink, cycles);
    print<2048>(blocks, sink, cycles);
    print<2560>(blocks, sink, cycles);
    print<4096>(blocks, sink, cycles);
    print<8192>(blocks, sink, cycles);
    print<12288>(blocks, sink, cycles);
    print<16384>(blocks, sink, cycles);
}
