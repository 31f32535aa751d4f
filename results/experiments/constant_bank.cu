// Launch cost of a kernel that reads no constant memory, if its module has constant memory.
//
// nvcc -std=c++20 -O3 -arch=native constant_bank.cu -o without
// nvcc -std=c++20 -O3 -arch=native -DCONSTANT=1024 constant_bank.cu -o with
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr unsigned words = 1u << 20;
constexpr int nodes = 400;

#ifdef CONSTANT
__constant__ unsigned char constants[CONSTANT];
// Never launched.
__global__ void read_constants(unsigned char* to, int which) { *to = constants[which]; }
#endif

__global__ void copy(unsigned* to, const unsigned* from) {
    const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) % words;
    to[i] = from[i];
}

float graph_us(cudaStream_t stream, unsigned* a, unsigned* b, int blocks) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    for (int i = 0; i < nodes; ++i)
        copy<<<blocks, 256, 0, stream>>>(i % 2 ? a : b, i % 2 ? b : a);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    std::vector<float> us;
    for (int sample = 0; sample < 15; ++sample) {
        cudaEventRecord(start, stream);
        for (int i = 0; i < 2; ++i) cudaGraphLaunch(executable, stream);
        cudaEventRecord(stop, stream);
        cudaEventSynchronize(stop);
        float ms;
        cudaEventElapsedTime(&ms, start, stop);
        us.push_back(ms * 1e3f / (2 * nodes));
    }
    std::sort(us.begin(), us.end());
    return us[us.size() / 2];
}

int main() {
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    unsigned *a, *b;
    cudaMalloc(&a, words * sizeof(unsigned));
    cudaMalloc(&b, words * sizeof(unsigned));
    cudaMemset(a, 0, words * sizeof(unsigned));
    graph_us(stream, a, b, 4096);  // raises the clocks
#ifdef CONSTANT
    std::printf("%s, %d bytes of constant memory in the module:", device.name, CONSTANT);
#else
    std::printf("%s, no constant memory in the module:", device.name);
#endif
    for (const int blocks : {1, 132, 1056, 3168})
        std::printf(" %d blocks %.3f us", blocks, graph_us(stream, a, b, blocks));
    std::printf(" a launch\n%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
