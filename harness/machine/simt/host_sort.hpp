// Sorting on the executor's queue, for lack of a library.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/machine/queue/queue.hpp"

namespace camber::simt {

// Enqueues on `queue`, a host queue, what PairSorter says. `scratch`: of the queue, a key and a
// value for each pair.
void sort(Queue& queue, void* scratch, const std::uint32_t* keys, std::uint32_t* sorted_keys,
          const std::int32_t* values, std::int32_t* sorted_values, std::size_t count, int bits);

}  // namespace camber::simt
