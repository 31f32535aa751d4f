// Time per instruction of loops that are longer than the instruction caches.
//
// Build and run on a machine with a GPU (compiling takes a minute):
//   nvcc -O3 -std=c++20 -arch=native instruction_fetch.cu -o instruction_fetch &&
//   ./instruction_fetch
// Each SM runs one block, whose warps execute a loop of independent 16-byte instructions:
// multiply-adds, of which a scheduler issues one per cycle, or logic operations, one in two cycles.
// Warps start together, or spread over one iteration.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

constexpr int independent = 8;

enum class Kind { multiply_add, logic };

void must(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

// The first round brings the instructions. `apart`: cycles from a warp's start to the next one's.
template <int instructions, Kind kind>
__global__ void run(int rounds, float factor, unsigned key, int apart, float* sink,
                    long long* cycles) {
    float sums[independent];
    unsigned bits[independent];
    for (int i = 0; i < independent; ++i) {
        sums[i] = factor + i;
        bits[i] = key * (i + 3) + threadIdx.x;
    }
    const int warp = threadIdx.x / 32;
    long long begin = clock64();
    while (clock64() - begin < static_cast<long long>(warp) * apart) {
    }
    for (int round = 0; round <= rounds; ++round) {
        if (round == 1) begin = clock64();
#pragma unroll
        for (int i = 0; i < instructions; ++i)
            if constexpr (kind == Kind::multiply_add)
                asm volatile("fma.rn.f32 %0, %0, %1, %1;"
                             : "+f"(sums[i % independent])
                             : "f"(factor));
            else
                asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;"
                             : "+r"(bits[i % independent])
                             : "r"(key), "r"(bits[(i + 1) % independent]));
    }
    const long long end = clock64();
    float all = 0;
    unsigned mixed = 0;
    for (const float sum : sums) all += sum;
    for (const unsigned word : bits) mixed ^= word;
    if (all == 0.5f || mixed == 12345u) *sink = all;  // hardly ever
    if (threadIdx.x % 32 == 0) cycles[blockIdx.x * (blockDim.x / 32) + warp] = end - begin;
}

constexpr int warps_tried[] = {1, 2, 4, 8, 12, 16, 32};
constexpr int most_warps = 32;

template <int instructions, Kind kind>
void print(int blocks, bool apart, float* sink, long long* cycles) {
    std::printf("%5d KiB ", instructions * 16 / 1024);
    for (const int warps : warps_tried) {
        const int rounds = 1000000 / instructions + 2;
        // A round takes 2.4 cycles an instruction, for each warp of a scheduler.
        const double round = instructions * 2.4 * ((warps + 3) / 4);
        run<instructions, kind><<<blocks, 32 * warps>>>(
            rounds, 1.0f, 77u, apart ? static_cast<int>(round / warps) : 0, sink, cycles);
        std::vector<long long> each(blocks * warps);
        must(cudaMemcpy(each.data(), cycles, each.size() * sizeof(long long),
                        cudaMemcpyDeviceToHost));
        const double mean = std::accumulate(each.begin(), each.end(), 0.0) / each.size();
        std::printf(" %8.2f", mean / rounds / instructions);
    }
    std::printf("\n");
}

template <Kind kind>
void print_all(const char* what, int blocks, float* sink, long long* cycles) {
    for (const bool apart : {false, true}) {
        std::printf("\n%s, warps begin %s\na loop of", what, apart ? "apart" : "together");
        for (const int warps : warps_tried) std::printf(" %2d warp%s", warps, warps > 1 ? "s" : " ");
        std::printf("\n");
        print<1024, kind>(blocks, apart, sink, cycles);
        print<2048, kind>(blocks, apart, sink, cycles);
        print<2304, kind>(blocks, apart, sink, cycles);
        print<2560, kind>(blocks, apart, sink, cycles);
        print<3072, kind>(blocks, apart, sink, cycles);
        print<4096, kind>(blocks, apart, sink, cycles);
        print<6144, kind>(blocks, apart, sink, cycles);
        print<8192, kind>(blocks, apart, sink, cycles);
        print<9216, kind>(blocks, apart, sink, cycles);
    }
}

}  // namespace

int main() {
    cudaDeviceProp device;
    must(cudaGetDeviceProperties(&device, 0));
    const int blocks = device.multiProcessorCount;
    std::printf("%s: cycles from an instruction of a warp to its next\n", device.name);
    float* sink = nullptr;
    long long* cycles = nullptr;
    must(cudaMalloc(&sink, sizeof(float)));
    must(cudaMalloc(&cycles, blocks * most_warps * sizeof(long long)));
    print_all<Kind::multiply_add>("multiply-adds", blocks, sink, cycles);
    print_all<Kind::logic>("logic", blocks, sink, cycles);
}
