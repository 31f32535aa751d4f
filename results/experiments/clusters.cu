// Cost of thread block clusters alone: blocks of 256 threads with 96 KiB of shared memory, two on an
// SM, with and without clusters.
//
//     nvcc -O3 -std=c++17 -arch=sm_90 clusters.cu -o clusters && ./clusters
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr int threads = 256;
constexpr int shared_bytes = 96 * 1024;
constexpr int row_bytes = 1024;  // of the row that a block sends to a neighbour

#define check(call) \
    if (const cudaError_t error = call; error != cudaSuccess) \
        std::printf("%s: %s\n", #call, cudaGetErrorString(error)), std::exit(1)

__device__ unsigned shared_address(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ unsigned in_block(unsigned address, unsigned rank) {
    unsigned other;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(address), "r"(rank));
    return other;
}
__device__ unsigned cluster_rank() {
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ unsigned cluster_size() {
    unsigned size;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    return size;
}
__device__ void cluster_barrier() {
    asm volatile(
        "barrier.cluster.arrive.release.aligned;\n"
        "barrier.cluster.wait.acquire.aligned;" ::
            : "memory");
}

// A block that is there for so many cycles.
__global__ void __launch_bounds__(threads, 2) stay(int cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {}
}

__global__ void __launch_bounds__(threads, 2) barriers(int times) {
    for (int i = 0; i < times; ++i) cluster_barrier();
}

// The first and the last warp send a row to the blocks before and after, by asynchronous stores, and
// wait for theirs; then the block meets.
__global__ void __launch_bounds__(threads, 2) sends(int times) {
    __shared__ alignas(16) std::uint8_t rows[2][2][row_bytes];
    __shared__ alignas(8) std::uint64_t arrived[2][2];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int side = warp == 0 ? 0 : 1;
    const bool has = (warp == 0 && cluster_rank() > 0) ||
                     (warp == threads / 32 - 1 && cluster_rank() + 1 < cluster_size());
    const unsigned peer = side == 0 ? cluster_rank() - 1 : cluster_rank() + 1;
    if (threadIdx.x == 0)
        for (int i = 0; i < 4; ++i)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
                             shared_address(&arrived[i / 2][i % 2]))
                         : "memory");
    cluster_barrier();
    for (int i = 0; i < times; ++i) {
        if (has) {
            const unsigned own = shared_address(&arrived[i % 2][side]);
            const unsigned other = in_block(shared_address(&arrived[i % 2][1 - side]), peer);
            const unsigned to = in_block(shared_address(rows[i % 2][1 - side]), peer);
            if (lane == 0)
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(own),
                             "n"(row_bytes)
                             : "memory");
            for (int at = 16 * lane; at < row_bytes; at += 16 * 32)
                asm volatile(
                    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], "
                    "{%1, %1, %1, %1}, [%2];" ::"r"(to + at),
                    "r"(i), "r"(other)
                    : "memory");
            unsigned complete = 0;
            while (complete == 0)
                asm volatile(
                    "{\n.reg .pred p;\n"
                    "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
                    "selp.u32 %0, 1, 0, p;\n}"
                    : "=r"(complete)
                    : "r"(own), "r"(i / 2 % 2)
                    : "memory");
        }
        __syncthreads();
    }
    cluster_barrier();
}

struct Shape {
    cudaLaunchAttribute attribute{};
    cudaLaunchConfig_t config{};
    Shape(int blocks, int cluster) {
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
        config.gridDim = blocks;
        config.blockDim = threads;
        config.dynamicSmemBytes = shared_bytes;
        config.attrs = &attribute;
        config.numAttrs = cluster > 1 ? 1 : 0;
    }
};

// Microseconds of the fastest of five launches.
double fastest(void (*kernel)(int), int blocks, int cluster, int argument) {
    Shape shape(blocks, cluster);
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    float least = 1e9f;
    for (int i = 0; i < 5; ++i) {
        check(cudaEventRecord(begin));
        check(cudaLaunchKernelEx(&shape.config, kernel, argument));
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin, end));
        least = ms < least ? ms : least;
    }
    return least * 1e3;
}

int main() {
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    const int places = 2 * device.multiProcessorCount;
    for (auto* kernel : {stay, barriers, sends})
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   shared_bytes));
    std::printf("%s, %d places for blocks\n", device.name, places);
    std::printf("blocks of a cluster  places used  us for %d blocks of 10000 cycles  ns a barrier  "
                "ns a send\n",
                places);
    constexpr int fillings = 60, times = 2000;
    for (const int cluster : {1, 2, 4, 8}) {
        Shape shape(places, cluster);
        int clusters = places;
        if (cluster > 1)
            check(cudaOccupancyMaxActiveClusters(&clusters, stay, &shape.config));
        const int used = clusters * cluster;
        std::printf("%19d %12d %34.2f", cluster, used,
                    fastest(stay, fillings * places, cluster, 10000) / fillings);
        if (cluster > 1)
            std::printf(" %13.0f %10.0f", 1e3 * fastest(barriers, used, cluster, times) / times,
                        1e3 * fastest(sends, used, cluster, times) / times);
        std::printf("\n");
    }
}
