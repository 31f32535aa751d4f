#include "harness/cuda/fill.hpp"

#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "harness/cuda/check.hpp"

namespace camber::cuda {

namespace {

template <class T>
__global__ void fill_kernel(T* memory, std::size_t count, T value) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride)
        memory[i] = value;
}

template <class T>
void launch_fill(void* stream, void* memory, std::size_t count, const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    fill_kernel<<<1024, 256, 0, static_cast<cudaStream_t>(stream)>>>(static_cast<T*>(memory), count,
                                                                     value);
    check(cudaGetLastError(), "filling a field");
}

}  // namespace

void fill(void* stream, void* memory, std::size_t count, std::span<const std::byte> value) {
    switch (value.size()) {
        case 1:
            return launch_fill<std::uint8_t>(stream, memory, count, value.data());
        case 2:
            return launch_fill<std::uint16_t>(stream, memory, count, value.data());
        case 4:
            return launch_fill<std::uint32_t>(stream, memory, count, value.data());
        case 8:
            return launch_fill<std::uint64_t>(stream, memory, count, value.data());
        case 16:
            return launch_fill<uint4>(stream, memory, count, value.data());
    }
    throw std::logic_error("an element has 1, 2, 4, 8 or 16 bytes");
}

}  // namespace camber::cuda
