// Fills device memory with a repeated value.
#pragma once

#include <cstddef>
#include <span>

#include "harness/machine/queue/queue.hpp"

namespace camber::cuda {

// Enqueues on `stream` (a cudaStream_t): `value` (1, 2, 4, 8 or 16 bytes) to `count` elements.
void fill(void* stream, void* memory, std::size_t count, std::span<const std::byte> value);

// Enqueues on `stream`: poison to every byte of the areas, in as few launches as they fit into.
void poison(void* stream, std::span<const ByteArea> areas, Poison poison);

}  // namespace camber::cuda
