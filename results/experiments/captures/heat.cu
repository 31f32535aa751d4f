// Heat in a plate, as an application would compute it: fields in one pool, passed by value in a
// structure; diffusivities in constant memory; sources in a list of addresses; a sum over all cells
// by a cooperative launch; a result in pinned memory.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <chrono>
#include <vector>
namespace cg = cooperative_groups;

#define CHECK(call)                                                                       \
    do {                                                                                  \
        const cudaError_t error = (call);                                                 \
        if (error != cudaSuccess) {                                                       \
            std::printf("%s: %s\n", #call, cudaGetErrorString(error));                    \
            std::exit(1);                                                                 \
        }                                                                                 \
    } while (0)

struct Fields {
    const float* now;
    float* next;
    const unsigned char* material;
    int columns, rows;
};

__constant__ float diffusivity[4];

__global__ void heat_step(Fields f, float step) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < 1 || row < 1 || column >= f.columns - 1 || row >= f.rows - 1) return;
    const int k = row * f.columns + column;
    const float sum = f.now[k - 1] + f.now[k + 1] + f.now[k - f.columns] + f.now[k + f.columns];
    f.next[k] = f.now[k] + step * diffusivity[f.material[k]] * (sum - 4 * f.now[k]);
}

struct Source {
    float* cell;
    float power;
};

__global__ void add_sources(const Source* sources, int count) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < count) *sources[k].cell += sources[k].power;
}

__global__ void whole_sum(const float* values, int count, double* partial, double* result) {
    __shared__ double shared[256];
    double sum = 0;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x)
        sum += values[k];
    shared[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = shared[0];
    cg::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        double all = 0;
        for (int k = 0; k < gridDim.x; ++k) all += partial[k];
        *result = all;
    }
}

__global__ void atomic_sum(const float* values, int count, float* total) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < count) atomicAdd(total, values[k]);
}

int main(int argc, char** argv) {
    const int steps = argc > 1 ? std::atoi(argv[1]) : 50;
    const int columns = argc > 2 ? std::atoi(argv[2]) : 2048;
    const int rows = columns;
    const size_t cells = size_t(columns) * rows;
    char* pool = nullptr;
    CHECK(cudaMalloc(&pool, cells * 9 + 4096));
    float* a = reinterpret_cast<float*>(pool + 1024);
    float* b = a + cells;
    unsigned char* material = reinterpret_cast<unsigned char*>(b + cells);
    std::vector<float> start(cells);
    std::vector<unsigned char> kinds(cells);
    unsigned seed = 1;
    for (size_t k = 0; k < cells; ++k) {
        seed = seed * 1664525 + 1013904223;
        start[k] = 20.f + (seed >> 16) % 1000 * 0.01f;
        kinds[k] = seed >> 30;
    }
    CHECK(cudaMemcpy(a, start.data(), cells * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, start.data(), cells * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(material, kinds.data(), cells, cudaMemcpyHostToDevice));
    const float values[4] = {0.1f, 0.15f, 0.2f, 0.24f};
    CHECK(cudaMemcpyToSymbol(diffusivity, values, sizeof values));
    std::vector<Source> sources;
    for (int k = 0; k < 20000; ++k) sources.push_back({(k % 2 ? a : b) + (size_t(k) * 7919) % cells, 0.5f});
    Source* list = nullptr;
    CHECK(cudaMalloc(&list, sources.size() * sizeof(Source)));
    CHECK(cudaMemcpy(list, sources.data(), sources.size() * sizeof(Source), cudaMemcpyHostToDevice));
    double* partial = nullptr;
    CHECK(cudaMalloc(&partial, 1024 * sizeof(double)));
    double* result = nullptr;
    CHECK(cudaMallocHost(&result, sizeof(double)));
    float* total = nullptr;
    CHECK(cudaMalloc(&total, 4));
    CHECK(cudaMemset(total, 0, 4));
    CHECK(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    for (int step = 0; step < steps; ++step) {
        Fields fields{step % 2 ? b : a, step % 2 ? a : b, material, columns, rows};
        heat_step<<<dim3((columns + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(fields, 0.9f);
        if (step % 10 == 9) {
            add_sources<<<(20000 + 255) / 256, 256>>>(list, 20000);
            const float* now = step % 2 ? a : b;
            int count = int(cells);
            void* arguments[] = {&now, &count, &partial, &result};
            CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(whole_sum), 132, 256, arguments));
            atomic_sum<<<256, 256>>>(now, 65536, total);
        }
    }
    CHECK(cudaDeviceSynchronize());
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("%d steps in %.4f s, sum %.6f\n", steps, seconds, *result);
    return 0;
}
