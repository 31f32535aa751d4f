// Why the generic shared_tile kernels are slower than hand-written ones of the same pattern: what it
// costs when the compiler turns the branch around the corner loads, which one thread per block takes,
// into conditional instructions, which every warp issues.
//
// Build and run on a machine with a GPU:  nvcc -O3 -std=c++20 -arch=native corner_branch.cu -o corner && ./corner
// Both kernels are indexed by hand and differ only in the order of loads and stores to shared memory:
// `branch` stores each value at once, and the compiler keeps the branch; `conditional` loads everything
// first, and the compiler makes all nine loads conditional, as it does with the generic kernel.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Cell = std::uint32_t;

void check(cudaError_t result) {
    if (result == cudaSuccess) return;
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(result));
    std::exit(5);
}

template <int BX, int BY, bool loads_first>
__global__ void shared_tile(const Cell* current, Cell* next, int pitch) {
    __shared__ Cell tile[BY + 2][BX + 2];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const std::ptrdiff_t column = blockIdx.x * BX + tx;
    const std::ptrdiff_t row = blockIdx.y * BY + ty;
    const std::ptrdiff_t i = row * pitch + column;
    const std::ptrdiff_t o = i - pitch;  // of the corner thread (0,1): the block's first cell
    const bool side = tx == 0;
    const bool top = ty == 0;
    const bool corner = tx == 0 && ty == 1;
    if constexpr (loads_first) {
        Cell left = 0, right = 0, up = 0, down = 0, a = 0, b = 0, c = 0, d = 0;
        const Cell own = current[i];
        if (side) {
            left = current[i - 1];
            right = current[i + BX];
        }
        if (top) {
            up = current[i - pitch];
            down = current[i + BY * pitch];
        }
        if (corner) {
            a = current[o - pitch - 1];
            b = current[o - pitch + BX];
            c = current[o + BY * pitch - 1];
            d = current[o + BY * pitch + BX];
        }
        tile[ty + 1][tx + 1] = own;
        if (side) {
            tile[ty + 1][0] = left;
            tile[ty + 1][BX + 1] = right;
        }
        if (top) {
            tile[0][tx + 1] = up;
            tile[BY + 1][tx + 1] = down;
        }
        if (corner) {
            tile[0][0] = a;
            tile[0][BX + 1] = b;
            tile[BY + 1][0] = c;
            tile[BY + 1][BX + 1] = d;
        }
    } else {
        tile[ty + 1][tx + 1] = current[i];
        if (side) {
            tile[ty + 1][0] = current[i - 1];
            tile[ty + 1][BX + 1] = current[i + BX];
        }
        if (top) {
            tile[0][tx + 1] = current[i - pitch];
            tile[BY + 1][tx + 1] = current[i + BY * pitch];
        }
        if (corner) {
            tile[0][0] = current[o - pitch - 1];
            tile[0][BX + 1] = current[o - pitch + BX];
            tile[BY + 1][0] = current[o + BY * pitch - 1];
            tile[BY + 1][BX + 1] = current[o + BY * pitch + BX];
        }
    }
    __syncthreads();
    const Cell n = tile[ty][tx] + tile[ty][tx + 1] + tile[ty][tx + 2] + tile[ty + 1][tx] +
                   tile[ty + 1][tx + 2] + tile[ty + 2][tx] + tile[ty + 2][tx + 1] +
                   tile[ty + 2][tx + 2];
    next[i] = (n == 3) | ((n == 2) & tile[ty + 1][tx + 1]);
}

template <int BX, int BY, bool loads_first>
void measure(Cell* a, Cell* b, int side, int pitch, int origin) {
    cudaEvent_t start, stop;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    std::vector<float> milliseconds;
    for (int sample = 0; sample < 24; ++sample) {
        check(cudaEventRecord(start));
        for (int launch = 0; launch < 4; ++launch) {
            shared_tile<BX, BY, loads_first><<<dim3(side / BX, side / BY), dim3(BX, BY)>>>(
                a + origin, b + origin, pitch);
            std::swap(a, b);
        }
        check(cudaEventRecord(stop));
        check(cudaEventSynchronize(stop));
        float time = 0;
        check(cudaEventElapsedTime(&time, start, stop));
        if (sample >= 4) milliseconds.push_back(time / 4);
    }
    std::nth_element(milliseconds.begin(), milliseconds.begin() + 10, milliseconds.end());
    const double rate = double(side) * side / milliseconds[10] * 1e-6;
    std::printf("%2dx%-2d  %-11s  %.3f ms  %.1f Gcell/s\n", BX, BY,
                loads_first ? "conditional" : "branch", milliseconds[10], rate);
    check(cudaEventDestroy(start));
    check(cudaEventDestroy(stop));
}

int main() {
    const int side = 16384;
    const int pitch = side + 32;  // 128-byte aligned rows, as in align128
    const int origin = pitch + 32;
    const std::size_t cells = std::size_t(side + 3) * pitch;
    std::vector<Cell> random(cells);
    std::uint64_t state = 1;
    for (Cell& cell : random) cell = (state = state * 6364136223846793005u + 1) >> 63;
    Cell *a, *b;
    check(cudaMalloc(&a, cells * sizeof(Cell)));
    check(cudaMalloc(&b, cells * sizeof(Cell)));
    check(cudaMemcpy(a, random.data(), cells * sizeof(Cell), cudaMemcpyHostToDevice));
    check(cudaMemcpy(b, random.data(), cells * sizeof(Cell), cudaMemcpyHostToDevice));
    measure<16, 16, false>(a, b, side, pitch, origin);
    measure<16, 16, true>(a, b, side, pitch, origin);
    measure<32, 8, false>(a, b, side, pitch, origin);
    measure<32, 8, true>(a, b, side, pitch, origin);
    measure<64, 4, false>(a, b, side, pitch, origin);
    measure<64, 4, true>(a, b, side, pitch, origin);
    check(cudaFree(a));
    check(cudaFree(b));
}
