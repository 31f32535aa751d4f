// The cluster of the running block, for the words of harness/machine/kernel/cluster.hpp.
#pragma once

#include <cstddef>
#include <source_location>

#include "harness/machine/simt/thread.hpp"

namespace camber::simt {

unsigned cluster_rank();
unsigned cluster_size();

// Where the block of that rank has its copy of a `__shared__` variable, which is known by its
// address. Faults where the cluster has no such block.
void* shared_of_block(const void* variable, unsigned rank, std::size_t size,
                      const std::source_location& site);

// Where the block of that rank has what lies at `own` in the running block's shared memory.
void* shared_of_block(const void* own, unsigned rank, const std::source_location& site);

// The running thread touches the shared memory of the block of that rank: faults where no cluster
// barrier has told it that the block has begun, and later where none tells the block that it may
// end.
void touch_shared_of_block(unsigned rank, const std::source_location& site);

}  // namespace camber::simt
