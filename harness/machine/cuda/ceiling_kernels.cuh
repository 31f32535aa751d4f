// Device functions and launches that all ceiling kernels share, among them launches with a limited
// number of resident blocks per SM.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "harness/machine/cuda/ceiling_kernels.hpp"
#include "harness/machine/cuda/runtime_objects.hpp"

namespace camber::cuda::ceiling {

constexpr unsigned block_threads = 256;
constexpr unsigned warp_threads = 32;
constexpr unsigned most_blocks_per_sm = 256;  // resident or waiting

inline cudaStream_t stream(const CeilingTarget& target) {
    return static_cast<cudaStream_t>(target.stream);
}

// Mixes the bits of an index (the finalizer of MurmurHash3).
inline __host__ __device__ std::uint32_t noise(std::uint32_t index) {
    index ^= index >> 16;
    index *= 0x85ebca6bu;
    index ^= index >> 13;
    index *= 0xc2b2ae35u;
    index ^= index >> 16;
    return 0x3f800000u | (index & 0x7fffffu);
}

// Stores one word per warp, so that the sink's traffic is negligible.
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

// Launches with a limited number of resident blocks per SM.

constexpr std::size_t reserved_bytes = 1024;  // of shared memory, for each block (9.0: 1 KiB)

inline int attribute(cudaDeviceAttr which) {
    int device = 0;
    int value = 0;
    check(cudaGetDevice(&device), "asking for the device in use");
    check(cudaDeviceGetAttribute(&value, which, device), "asking for the device's shared memory");
    return value;
}

// Launches blocks with a limit of `places` resident blocks per SM, by their shared memory.
template <class... Parameters, class... Arguments>
void launch_in_places(const CeilingTarget& target, void (*kernel)(Parameters...), unsigned blocks,
                      unsigned threads, unsigned places, Arguments... arguments) {
    const auto all =
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    const auto most = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    const std::size_t bytes = std::min(all / places - reserved_bytes, most);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "setting a kernel's shared memory");
    kernel<<<blocks, threads, bytes, stream(target)>>>(arguments...);
    check(cudaGetLastError(), "measuring the device's limits");
}

}  // namespace camber::cuda::ceiling
