// Rows that a kernel stores into another device's memory, and the counters that signal them.
#pragma once

#include <cstdint>
#include <span>

#include "harness/machine/queue/queue.hpp"

namespace camber::cuda {

inline constexpr int most_transfers = 8;

// Enqueues on `stream` (a cudaStream_t) the copies and then an addition of 1 to `arrivals`. `done`:
// one number in the device's own memory, 0 before and after.
void deliver(void* stream, std::span<const Transfer> transfers, std::uint32_t* arrivals,
             std::uint32_t* done);

// Enqueues a wait until `arrivals` is ahead of `taken`, and the addition of 1 to `taken`.
void await(void* stream, const std::uint32_t* arrivals, std::uint32_t* taken);

// Enqueues Queue::least_of_places().
void least_of_places(void* stream, const PlacesNumber& number);

}  // namespace camber::cuda
