// Cost of CUPTI's activity tracing in kernel times: concurrent kernels (the usual kind), one kernel
// at a time, and events without tracing.
//
// Build and run on a machine with a GPU (CUPTI = the folder of libcupti.so, or nothing if the
// loader finds it):
//   nvcc -O3 -std=c++20 -arch=native activity_cost.cu -o activity_cost -lcupti -LCUPTI -Xlinker -rpath=CUPTI
//   ./activity_cost
// `halo` reads and writes memory, `arithmetic` does neither, with long blocks or with many short
// ones.
#include <cuda_runtime.h>
#include <cupti.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

std::vector<double> traced;  // microseconds

void CUPTIAPI request_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
    *size = 1 << 20;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
    *records = 0;
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t valid) {
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
        traced.push_back((kernel->end - kernel->start) * 1e-3);
    }
    std::free(buffer);
}

__global__ void halo(const unsigned* current, unsigned* next, int pitch) {
    const int column = blockIdx.x * 64 + threadIdx.x;
    const int row = blockIdx.y * 4 + threadIdx.y;
    const std::size_t own = static_cast<std::size_t>(row + 1) * pitch + column + 32;
    const unsigned* at = current + own;
    const unsigned neighbours = at[-pitch - 1] + at[-pitch] + at[-pitch + 1] + at[-1] + at[1] +
                                at[pitch - 1] + at[pitch] + at[pitch + 1];
    const unsigned self = at[0];
    next[own] = (neighbours == 3) | ((neighbours == 2) & self);
}

__global__ void arithmetic(int steps, unsigned* never) {
    unsigned x = threadIdx.x;
    for (int i = 0; i < steps; ++i) x = x * 1664525u + 1013904223u;
    if (x == 7) *never = x;
}

double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + values.size() / 2);
    return values[values.size() / 2];
}

// Microseconds per launch of 15 batches.
template <class Enqueue>
double by_events(cudaStream_t stream, int launches, const Enqueue& enqueue) {
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    std::vector<double> times;
    for (int batch = 0; batch < 15; ++batch) {
        cudaEventRecord(start, stream);
        for (int i = 0; i < launches; ++i) enqueue(i);
        cudaEventRecord(stop, stream);
        cudaEventSynchronize(stop);
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, start, stop);
        times.push_back(milliseconds * 1e3 / launches);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return median(times);
}

template <class Enqueue>
void report(const char* name, int size, cudaStream_t stream, int launches, const Enqueue& enqueue) {
    std::printf("%-26s %6d %10.2f", name, size, by_events(stream, launches, enqueue));
    for (const auto kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_KERNEL}) {
        traced.clear();
        cuptiActivityEnable(kind);
        const double events = by_events(stream, launches, enqueue);
        cudaDeviceSynchronize();
        cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
        cuptiActivityDisable(kind);
        std::printf("   %10.2f %10.2f", median(traced), events);
    }
    std::printf("\n");
}

}  // namespace

int main() {
    cuptiActivityRegisterCallbacks(request_buffer, take_buffer);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    std::printf("microseconds per launch            no tracing   concurrent kind (10)    one at a time (3)\n");
    std::printf("%-26s %6s %10s   %10s %10s   %10s %10s\n", "kernel", "size", "events", "activity",
                "events", "activity", "events");
    for (const int size : {2048, 8192, 16384}) {
        const int pitch = size + 64;
        const std::size_t bytes = static_cast<std::size_t>(pitch) * (size + 2) * sizeof(unsigned);
        unsigned* fields[2];
        for (unsigned*& field : fields) {
            cudaMalloc(&field, bytes);
            cudaMemset(field, 0, bytes);
        }
        const int launches = size == 2048 ? 200 : 20;
        report("halo", size, stream, launches, [&](int i) {
            halo<<<dim3(size / 64, size / 4), dim3(64, 4), 0, stream>>>(fields[i % 2],
                                                                      fields[1 - i % 2], pitch);
        });
        report("arithmetic, long blocks", size, stream, launches,
               [&](int) { arithmetic<<<132 * 8, 256, 0, stream>>>(4 * size, fields[0]); });
        report("arithmetic, short blocks", size, stream, launches,
               [&](int) { arithmetic<<<size * (size / 256), 256, 0, stream>>>(8, fields[0]); });
        for (unsigned* field : fields) cudaFree(field);
    }
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
