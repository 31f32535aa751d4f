// Compares the carve-out in CUPTI's activity record with the number of blocks that are resident on
// an SM.
//
// A kernel with 10 KiB of static shared memory and one without are launched with every preference.
// Each block counts itself on its SM, waits, and thus finds the number of resident blocks. CUPTI is
// present before the kernels are loaded or, in the "late" runs, only after the process has launched
// them.
//
//   nvcc -std=c++17 -arch=native -I/usr/local/cuda/extras/CUPTI/include carve_out.cu \
//       -L/usr/local/cuda/extras/CUPTI/lib64 -lcupti -o carve_out && ./carve_out && ./carve_out
//       late
#include <cuda_runtime.h>
#include <cupti.h>

#include <cstdio>
#include <cstdlib>

__device__ int resident[256];
__device__ int most;

template <int Bytes>
__global__ void __launch_bounds__(128) count_blocks() {
    __shared__ volatile char tile[Bytes > 0 ? Bytes : 1];
    if (Bytes > 0) tile[threadIdx.x] = 1;
    if (threadIdx.x == 0) {
        int sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        atomicMax(&most, atomicAdd(&resident[sm], 1) + 1);
        const long long start = clock64();
        while (clock64() - start < 200000) {
        }
        atomicSub(&resident[sm], 1);
    }
    __syncthreads();  // or threads would leave their place to further blocks
}

void CUPTIAPI request(uint8_t** buffer, size_t* size, size_t* records) {
    *buffer = static_cast<uint8_t*>(std::aligned_alloc(8, *size = 1 << 20));
    *records = 0;
}

void CUPTIAPI take(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        const auto* k = reinterpret_cast<CUpti_ActivityKernel10*>(record);
        std::printf("  CUPTI: carve-out requested %d: %3d %%, shared memory executed %6u B\n",
                    k->isSharedMemoryCarveoutRequested, k->sharedMemoryCarveoutRequested,
                    k->sharedMemoryExecuted);
    }
    std::free(buffer);
}

template <int Bytes>
void prefer(int percent) {
    cudaFuncSetAttribute(count_blocks<Bytes>, cudaFuncAttributePreferredSharedMemoryCarveout,
                         percent);
}

template <int Bytes>
void launch(int percent) {
    const int zero = 0;
    cudaMemcpyToSymbol(most, &zero, sizeof zero);
    count_blocks<Bytes><<<132 * 64, 128>>>();
    int found = 0, predicted = 0;
    cudaMemcpyFromSymbol(&found, most, sizeof found);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&predicted, count_blocks<Bytes>, 128, 0);
    cudaFuncAttributes attributes{};
    cudaFuncGetAttributes(&attributes, count_blocks<Bytes>);
    std::printf(
        "carve-out %3d (read back %3d), %5d B per block: %2d blocks at once, %2d by the "
        "occupancy API (%s)\n",
        percent, attributes.preferredShmemCarveout, Bytes, found, predicted,
        cudaGetErrorString(cudaGetLastError()));
    cuptiActivityFlushAll(1);
}

template <int Bytes>
void all(bool late) {
    for (const int percent : {-1, 0, 25, 50, 100}) {
        prefer<Bytes>(percent);
        if (late) {
            cuptiActivityDisable(CUPTI_ACTIVITY_KIND_KERNEL);
            count_blocks<Bytes><<<132, 128>>>();
            cudaDeviceSynchronize();
            cuptiActivityEnable(CUPTI_ACTIVITY_KIND_KERNEL);
        }
        launch<Bytes>(percent);
    }
}

int main(int count, char**) {
    const bool late = count > 1;
    cudaFree(nullptr);
    if (late) {
        count_blocks<0><<<132, 128>>>();
        count_blocks<10240><<<132, 128>>>();
        cudaDeviceSynchronize();
    }
    cuptiActivityRegisterCallbacks(request, take);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_KERNEL);
    std::printf(late ? "late\n" : "CUPTI first\n");
    all<0>(late);
    all<10240>(late);
}
