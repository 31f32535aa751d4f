// Shared helpers of the kernels declared in ceiling_kernels.hpp.
#pragma once

#include <cstdint>

#include "harness/machine/cuda/ceiling_kernels.hpp"
#include "harness/machine/cuda/check.hpp"

namespace camber::cuda::ceiling {

constexpr unsigned block_threads = 256;
constexpr unsigned warp_threads = 32;
constexpr unsigned most_blocks_per_sm = 256;  // resident or waiting

inline cudaStream_t stream(const CeilingTarget& target) {
    return static_cast<cudaStream_t>(target.stream);
}

// Mixes the bits of an index (the finaliser of MurmurHash3).
inline __host__ __device__ std::uint32_t noise(std::uint32_t index) {
    index ^= index >> 16;
    index *= 0x85ebca6bu;
    index ^= index >> 13;
    index *= 0xc2b2ae35u;
    index ^= index >> 16;
    return 0x3f800000u | (index & 0x7fffffu);
}

// One word per warp, so that the sink's traffic does not count.
inline __device__ void keep(std::uint32_t value, std::uint32_t* sink) {
    for (unsigned distance = warp_threads / 2; distance > 0; distance /= 2)
        value ^= __shfl_xor_sync(0xffffffffu, value, distance);
    if (threadIdx.x % warp_threads == 0)
        sink[(blockIdx.x * block_threads + threadIdx.x) / warp_threads] = value;
}

template <class... Parameters, class... Arguments>
void launch(const CeilingTarget& target, void (*kernel)(Parameters...), unsigned blocks,
            Arguments... arguments) {
    kernel<<<blocks, block_threads, 0, stream(target)>>>(arguments...);
    check(cudaGetLastError(), "measuring the device's limits");
}

// Number of blocks that the device runs at once.
template <class... Parameters>
unsigned one_wave(const CeilingTarget& target, void (*kernel)(Parameters...)) {
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block_threads, 0),
          "computing a kernel's occupancy");
    return static_cast<unsigned>(resident * target.sm_count);
}

inline std::uint32_t* sink(const CeilingTarget& target) {
    return static_cast<std::uint32_t*>(target.sink);
}

}  // namespace camber::cuda::ceiling
