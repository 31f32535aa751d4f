// What CUPTI's activity record says of the carve-out, and what a multiprocessor really holds.
//
// A kernel of 10 KiB static shared memory and one of none are launched with every preference; each
// block counts itself on its multiprocessor, waits, and so finds how many were there together.
//
//   nvcc -std=c++17 -arch=native -I/usr/local/cuda/extras/CUPTI/include carve_out.cu \
//       -L/usr/local/cuda/extras/CUPTI/lib64 -lcupti -o carve_out && ./carve_out
#include <cuda_runtime.h>
#include <cupti.h>

#include <cstdio>
#include <cstdlib>

__device__ int resident[256];
__device__ int most;

template <int Bytes>
__global__ void __launch_bounds__(128) count_blocks() {
    __shared__ char tile[Bytes > 0 ? Bytes : 1];
    if (Bytes > 0) tile[threadIdx.x % Bytes] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        atomicMax(&most, atomicAdd(&resident[sm], 1) + 1);
        const long long start = clock64();
        while (clock64() - start < 200000) {
        }
        atomicSub(&resident[sm], tile[0] == 77 ? 2 : 1);
    }
}

void CUPTIAPI request(uint8_t** buffer, size_t* size, size_t* records) {
    *buffer = static_cast<uint8_t*>(std::aligned_alloc(8, *size = 1 << 20));
    *records = 0;
}

void CUPTIAPI take(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        const auto* k = reinterpret_cast<CUpti_ActivityKernel10*>(record);
        std::printf("  static %5d B  requested %d: %3d %%  executed %6u B  cache config %d/%d\n",
                    k->staticSharedMemory, k->isSharedMemoryCarveoutRequested,
                    k->sharedMemoryCarveoutRequested, k->sharedMemoryExecuted,
                    k->cacheConfig.config.requested, k->cacheConfig.config.executed);
    }
    std::free(buffer);
}

template <int Bytes>
void launch(int percent) {
    cudaFuncSetAttribute(count_blocks<Bytes>, cudaFuncAttributePreferredSharedMemoryCarveout,
                         percent);
    const int zero = 0;
    cudaMemcpyToSymbol(most, &zero, sizeof zero);
    count_blocks<Bytes><<<132 * 64, 128>>>();
    int found = 0, predicted = 0;
    cudaMemcpyFromSymbol(&found, most, sizeof found);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&predicted, count_blocks<Bytes>, 128, 0);
    std::printf("carve-out %3d, %5d B per block: %d blocks at once, %d by the occupancy API (%s)\n",
                percent, Bytes, found, predicted, cudaGetErrorString(cudaGetLastError()));
    cuptiActivityFlushAll(1);
}

int main() {
    cudaFree(nullptr);
    cuptiActivityRegisterCallbacks(request, take);
    for (const CUpti_ActivityKind kind :
         {CUPTI_ACTIVITY_KIND_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL}) {
        std::printf("kind %d\n", kind);
        cuptiActivityEnable(kind);
        for (const int percent : {-1, 0, 25, 50, 100}) launch<0>(percent);
        for (const int percent : {-1, 0, 25, 50, 100}) launch<10240>(percent);
        cuptiActivityDisable(kind);
    }
}
