// Cost of CUPTI for the kernels of a graph and of a stream, before it records anything.
//
// nvcc -std=c++20 -O3 -arch=native -I CUPTI/include profiled_graphs.cu -o profiled_graphs -ldl
#include <cupti.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned words = 1u << 20;
constexpr int nodes = 400;

__global__ void copy(unsigned* to, const unsigned* from) {
    const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) % words;
    to[i] = from[i];
}
// Longer than the host takes to launch it.
__global__ void wait(unsigned* to, long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
    if (cycles == 0) *to = 1;
}

cudaStream_t stream;
unsigned *a, *b;

template <class Work>
float median_us(const Work& work) {
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    std::vector<float> us;
    for (int sample = 0; sample < 15; ++sample) {
        cudaEventRecord(start, stream);
        work();
        cudaEventRecord(stop, stream);
        cudaEventSynchronize(stop);
        float ms;
        cudaEventElapsedTime(&ms, start, stop);
        us.push_back(ms * 1e3f);
    }
    std::sort(us.begin(), us.end());
    return us[us.size() / 2];
}

void show(const char* what) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    for (int i = 0; i < nodes; ++i)
        copy<<<1056, 256, 0, stream>>>(i % 2 ? a : b, i % 2 ? b : a);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    const float of_graph = median_us([&] {
        cudaGraphLaunch(executable, stream);
        cudaGraphLaunch(executable, stream);
    });
    const float of_stream = median_us([&] {
        for (int i = 0; i < 300; ++i) wait<<<132, 32, 0, stream>>>(a, 20000);
    });
    std::printf("%-32s a copy in a graph %.3f us, 20000 cycles in a stream %.3f us\n", what,
                of_graph / (2 * nodes), of_stream / 300);
}

void CUPTIAPI request(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
    *size = 1 << 20;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
    *records = 0;
}
void CUPTIAPI completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t) {
    std::free(buffer);
}

int main() {
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    std::printf("%s\n", device.name);
    cudaStreamCreate(&stream);
    cudaMalloc(&a, words * sizeof(unsigned));
    cudaMalloc(&b, words * sizeof(unsigned));
    cudaMemset(a, 0, words * sizeof(unsigned));
    for (int i = 0; i < 20000; ++i) copy<<<1056, 256, 0, stream>>>(a, b);
    cudaDeviceSynchronize();
    show("without CUPTI");
    void* const library = dlopen("libcupti.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) return std::puts("no libcupti.so in LD_LIBRARY_PATH"), 1;
    show("loaded");
#define FIND(name) const auto name = reinterpret_cast<decltype(&::name)>(dlsym(library, #name))
    FIND(cuptiActivityRegisterCallbacks);
    FIND(cuptiActivityEnable);
    FIND(cuptiActivityDisable);
    FIND(cuptiActivityFlushAll);
    cuptiActivityRegisterCallbacks(request, completed);
    show("callbacks registered");
    const auto record = [&](CUpti_ActivityKind kind, const char* on, const char* off) {
        cuptiActivityEnable(kind);
        show(on);
        cuptiActivityDisable(kind);
        cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
        show(off);
    };
    record(CUPTI_ACTIVITY_KIND_KERNEL, "kernels recorded", "no longer");
    record(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "concurrent kernels recorded", "no longer");
}
