// Launches with a limited number of resident blocks per SM.
#pragma once

#include <algorithm>
#include <cstddef>

#include "harness/machine/cuda/ceiling_kernels.cuh"

namespace camber::cuda::ceiling {

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
