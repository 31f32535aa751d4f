// A grid-stride saxpy with its benchmark, as in many tutorials.
// camber: saxpy(2.0f, in.x, inout.y, columns*rows) block=256 grid=4
// camber: reference saxpy_plain.cu
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "helper_cuda.h"

#define CHECK(call)                                                              \
    do {                                                                         \
        const cudaError_t error = (call);                                        \
        if (error != cudaSuccess) {                                              \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
            std::exit(1);                                                        \
        }                                                                        \
    } while (0)

static cudaStream_t stream;

struct Timer {
    cudaEvent_t start, stop;
    Timer() { cudaEventCreate(&start), cudaEventCreate(&stop); }
    ~Timer() { cudaEventDestroy(start); }
    float elapsed() {
        float ms = 0;
        cudaEventElapsedTime(&ms, start, stop);
        return ms;
    }
};

__global__ void saxpy(float a, const float* __restrict__ x, float* __restrict__ y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = a * x[i] + y[i];
}

void run(std::vector<float>& x, std::vector<float>& y) {
    if (x.size() != y.size()) throw "sizes differ: \"{\" <<<";
    float *dx, *dy;
    CHECK(cudaMalloc(&dx, x.size() * sizeof(float)));
    CHECK(cudaMalloc(&dy, y.size() * sizeof(float)));
    Timer timer;
    saxpy<<<64, 256, 0, stream>>>(2.0f, dx, dy, static_cast<int>(x.size()));
    CHECK(cudaDeviceSynchronize());
    std::printf("%f ms\n", timer.elapsed());
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 20;
    std::vector<float> x(n, 1.0f), y(n, 2.0f);
    try {
        run(x, y);
    } catch (...) {
        return 1;
    }
    return 0;
}
