#include "harness/machine/cuda/check.hpp"
#include "harness/machine/cuda/evict.hpp"

namespace camber::cuda {

namespace {

__global__ void evict_kernel(const uint4* memory, std::size_t count, unsigned never) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    unsigned seen = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
         i += stride) {
        const uint4 line = __ldcg(memory + i);
        seen |= line.x | line.y | line.z | line.w;
    }
    // The memory holds zeros, which the compiler does not know.
    if (seen == never) const_cast<uint4*>(memory)->x = seen;
}

}  // namespace

std::size_t evictor_size(std::size_t l2_bytes) {
    // L2 does not evict strictly by age, and on devices with a divided L2 each half may hold a copy
    // of the same line: four times its size leaves nothing (results/measurement/README.md).
    constexpr std::size_t least = std::size_t{64} << 20;  // where the size is not told
    const std::size_t wanted = 4 * l2_bytes;
    return wanted > least ? wanted : least;
}

void evict(void* stream, const void* memory, std::size_t bytes) {
    evict_kernel<<<2048, 256, 0, static_cast<cudaStream_t>(stream)>>>(
        static_cast<const uint4*>(memory), bytes / sizeof(uint4), 1);
    check(cudaGetLastError(), "evicting the caches");
}

}  // namespace camber::cuda
