// Where fibres meet: the grid's barrier, the cluster's, the block's, and the collectives of a warp.
#pragma once

#include <cstdint>
#include <source_location>

#include "harness/machine/simt/thread.hpp"

namespace camber::simt {

enum class WarpOperation : std::uint8_t { synchronize, shuffle, ballot };

// Waits until every thread of the block has come here.
void block_barrier(const std::source_location& site);

// Waits until every thread of a cooperative launch has come here.
void grid_barrier(const std::source_location& site);

// Waits until every thread of the cluster has come here.
void cluster_barrier(const std::source_location& site);

// Waits until every lane in `mask` has come here, then gives each its result:
// shuffle: the `value` of lane `source_lane`; ballot: bit l is set where lane l's `value` is not 0.
std::uint64_t warp_exchange(WarpOperation operation, unsigned mask, std::uint64_t value,
                            int source_lane, const std::source_location& site);

// Mask of the lanes that exist in the running thread's warp.
unsigned existing_lanes();

// Lane of the running thread in its warp: linear thread index modulo 32.
inline int lane() {
    const Index3& t = current->thread;
    const Extent3& n = current->block_size;
    return static_cast<int>((t.x + n.x * (t.y + n.y * t.z)) % 32);
}

}  // namespace camber::simt
