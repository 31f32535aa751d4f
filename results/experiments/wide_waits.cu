// How long a warp waits, by how much it asks for at once: chains of loads in which the address of
// each follows from the one before, of a word, two or four per lane, and of several overlapping
// loads.
//
// Build and run on a machine with a GPU:
//   nvcc -O3 -std=c++20 -arch=native wide_waits.cu -o wide_waits && ./wide_waits
// All lanes find the number of the next place in every word. Places are 4 KiB apart, in random
// order, in memory that stays in L2 or does not.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr std::size_t place_bytes = 4096;
constexpr std::size_t word_bytes = 4;
constexpr std::size_t margin = 64;  // in front of what is loaded: the overlapping loads reach there
constexpr int shift = 16;           // bytes from one overlapping load to the next

void must(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

// Cycles of a round: `loads` of an Element per lane, `shift` bytes apart.
template <class Element, int loads>
__global__ void follow(const char* places, int first, int rounds, double* cycles) {
    int place = first;
    int seen = 0;
    const long long begin = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        const char* at = places + place * place_bytes + margin + threadIdx.x * sizeof(Element);
        Element values[loads];
#pragma unroll
        for (int i = 0; i < loads; ++i)
            values[i] = *reinterpret_cast<const Element*>(at + (i - loads / 2) * shift);
        int all = ~0;  // they are equal
#pragma unroll
        for (int i = 0; i < loads; ++i) all &= *reinterpret_cast<const int*>(&values[i]);
        place = all;
        seen += all;
    }
    const long long taken = clock64() - begin;
    if (threadIdx.x == 0) *cycles = static_cast<double>(taken) / rounds;
    if (seen == -1) *cycles = 0;  // never
}

template <class Element, int loads>
double cycles_of(std::size_t bytes) {
    const std::size_t places = bytes / place_bytes;
    std::vector<int> order(places);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, std::mt19937(1));
    std::vector<int> words(bytes / word_bytes);
    for (std::size_t i = 0; i < places; ++i)
        std::fill_n(words.begin() + order[i] * (place_bytes / word_bytes), place_bytes / word_bytes,
                    order[(i + 1) % places]);
    char* memory = nullptr;
    double* result = nullptr;
    must(cudaMalloc(&memory, bytes));
    must(cudaMalloc(&result, sizeof(double)));
    must(cudaMemcpy(memory, words.data(), bytes, cudaMemcpyHostToDevice));
    double cycles = 0;
    const auto rounds = std::min<std::size_t>(places, 20000);
    for (int run = 0; run < 2; ++run) {  // the first brings to L2 what fits, the second goes on
        follow<Element, loads>
            <<<1, 32>>>(memory, order[run * rounds % places], static_cast<int>(rounds), result);
        must(cudaMemcpy(&cycles, result, sizeof cycles, cudaMemcpyDeviceToHost));
    }
    must(cudaFree(memory));
    must(cudaFree(result));
    return cycles;
}

void print(const char* where, std::size_t bytes) {
    const double word = cycles_of<int, 1>(bytes);
    const auto line = [&](const char* what, double cycles) {
        std::printf("%-8s %-26s %7.1f  %+6.1f\n", where, what, cycles, cycles - word);
    };
    line("a word", word);
    line("2 words", cycles_of<int2, 1>(bytes));
    line("4 words", cycles_of<int4, 1>(bytes));
    line("4 words, 3 loads", cycles_of<int4, 3>(bytes));
    line("4 words, 5 loads", cycles_of<int4, 5>(bytes));
}

}  // namespace

int main() {
    cudaDeviceProp device;
    must(cudaGetDeviceProperties(&device, 0));
    std::printf("%s\nfrom     a lane loads at once        cycles  beyond a word's\n", device.name);
    print("L2", std::size_t{16} << 20);
    print("memory", std::size_t{2} << 30);
}
