// How long a warp waits for words in L2 that other multiprocessors have written and nobody has
// read since, and how long when it reads them again.
//
// Build and run on a machine with a GPU:
//   nvcc -O3 -std=c++20 -arch=native first_touch.cu -o first_touch && ./first_touch
// A warp goes from place to place of 8 MiB in random order; all words of a place have the number of
// the next. Before the first pass all multiprocessors write the memory.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr std::size_t bytes = std::size_t{8} << 20;
constexpr int bins = 256;
constexpr int bin_cycles = 8;

struct Result {
    double mean;
    unsigned histogram[bins];
};

void must(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

__global__ void write(int* words, const int* next, int places, int place_words) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < places * place_words;
         i += gridDim.x * blockDim.x)
        words[i] = next[i / place_words];
}

__device__ unsigned now() {
    unsigned cycles;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
    return cycles;
}

// After `word` has arrived.
__device__ unsigned now_with(int word) {
    unsigned cycles;
    asm volatile(
        "{ .reg .pred there; setp.ne.s32 there, %1, -16; mov.u32 %0, 0; @there mov.u32 %0, "
        "%%clock; }"
        : "=r"(cycles)
        : "r"(word)
        : "memory");
    return cycles;
}

// `loads` of an Element per lane, in a row.
template <class Element, int loads>
__global__ void follow(const char* memory, int place_bytes, int places, Result* result) {
    __shared__ unsigned histogram[bins];
    for (int i = threadIdx.x; i < bins; i += warpSize) histogram[i] = 0;
    __syncwarp();
    unsigned long long sum = 0;
    int place = 0;
    for (int k = 0; k < places; ++k) {
        const auto* at =
            reinterpret_cast<const Element*>(memory + std::size_t(place) * place_bytes);
        const unsigned begin = now();
        Element values[loads];
#pragma unroll
        for (int i = 0; i < loads; ++i) values[i] = __ldcg(at + i * warpSize + threadIdx.x);
        int all = ~0;  // they are equal
#pragma unroll
        for (int i = 0; i < loads; ++i) all &= *reinterpret_cast<const int*>(&values[i]);
        const unsigned taken = now_with(all) - begin;
        place = all;
        sum += taken;
        if (threadIdx.x == 0) ++histogram[min(taken / bin_cycles, unsigned{bins - 1})];
    }
    __syncwarp();
    for (int i = threadIdx.x; i < bins; i += warpSize) result->histogram[i] = histogram[i];
    if (threadIdx.x == 0) result->mean = static_cast<double>(sum) / places;
}

template <class Element, int loads>
void print(const char* what, int place_bytes, int* memory, int* next_places, Result* result) {
    const int places = static_cast<int>(bytes / place_bytes);
    std::vector<int> order(places);
    std::vector<int> next(places);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
    for (int i = 0; i < places; ++i) next[order[i]] = order[(i + 1) % places];
    must(cudaMemcpy(next_places, next.data(), places * sizeof(int), cudaMemcpyHostToDevice));
    write<<<528, 256>>>(memory, next_places, places, place_bytes / 4);
    for (const char* pass : {"first", "again"}) {
        follow<Element, loads>
            <<<1, 32>>>(reinterpret_cast<const char*>(memory), place_bytes, places, result);
        Result got;
        must(cudaMemcpy(&got, result, sizeof got, cudaMemcpyDeviceToHost));
        const auto quantile = [&](double share) {
            double seen = 0;
            for (int i = 0; i < bins; ++i)
                if ((seen += got.histogram[i]) >= share * places) return (i + 0.5) * bin_cycles;
            return 0.0;
        };
        std::printf("%-24s %6d   %-6s %6.1f  %5.0f %5.0f %5.0f\n", what, place_bytes, pass,
                    got.mean, quantile(0.1), quantile(0.5), quantile(0.9));
    }
}

}  // namespace

int main() {
    cudaDeviceProp device;
    must(cudaGetDeviceProperties(&device, 0));
    std::printf("%s\n", device.name);
    std::printf("%-24s %6s   %-6s %6s  %5s %5s %5s\n", "a lane loads at once", "places", "pass",
                "cycles", "10 %", "50 %", "90 %");
    int* memory = nullptr;
    int* next = nullptr;
    Result* result = nullptr;
    must(cudaMalloc(&memory, bytes));
    must(cudaMalloc(&next, bytes / 128 * sizeof(int)));
    must(cudaMalloc(&result, sizeof(Result)));
    print<int, 1>("a word", 128, memory, next, result);
    print<int, 1>("a word", 4096, memory, next, result);
    print<int2, 1>("2 words", 4096, memory, next, result);
    print<int4, 1>("4 words", 4096, memory, next, result);
    print<int4, 2>("4 words, 2 loads", 4096, memory, next, result);
    print<int4, 4>("4 words, 4 loads", 4096, memory, next, result);
}
