// Evicts all other data from L2.
#pragma once

#include <cstddef>

namespace camber::cuda {

// Bytes to read for it, of a device with `l2_bytes` of L2.
std::size_t evictor_size(std::size_t l2_bytes);

// Reads `bytes` of `memory`, 16-byte aligned, on `stream` (a cudaStream_t). Modified lines of other
// memory are written back and replaced by clean ones, so that the next kernel causes only its own
// traffic.
void evict(void* stream, const void* memory, std::size_t bytes);

}  // namespace camber::cuda
