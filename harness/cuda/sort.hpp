// Sorting by CUB.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/cuda/library.hpp"

namespace camber::cuda {

// Enqueues on `stream` (a cudaStream_t) what PairSorter says.
void sort(void* stream, const Scratch& scratch, const std::uint32_t* keys,
          std::uint32_t* sorted_keys, const std::int32_t* values, std::int32_t* sorted_values,
          std::size_t count, int bits);

}  // namespace camber::cuda
