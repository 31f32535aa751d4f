// Sort by CUB. Include it only in translation units of kernels that sort, because CUB takes seconds
// to compile.
#pragma once

#include <cub/device/device_radix_sort.cuh>

#include <cstddef>
#include <cstdint>

#include "harness/machine/cuda/runtime_objects.hpp"
#include "harness/machine/cuda/stream_kernels.hpp"

namespace camber::cuda {

// Enqueues PairSorter's sort on `stream` (a cudaStream_t). A radix sort from the lowest digit up
// keeps the order of equal keys.
inline void sort(void* stream, const Scratch& scratch, const std::uint32_t* keys,
                 std::uint32_t* sorted_keys, const std::int32_t* values,
                 std::int32_t* sorted_values, std::size_t count, int bits) {
    const auto call = [&](void* memory, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, sorted_keys, values,
                                               sorted_values, static_cast<int>(count), 0, bits,
                                               static_cast<cudaStream_t>(stream));
    };
    std::size_t bytes = 0;
    check(call(nullptr, bytes), "asking CUB for its memory");
    check(call(scratch(bytes), bytes), "sorting with CUB");
}

}  // namespace camber::cuda
