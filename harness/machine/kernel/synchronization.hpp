// Synchronization between blocks: a barrier for all threads of a cooperative launch, and counters
// by which blocks of several devices wait for each other's rows.
#pragma once

#include <cstdint>

#include "harness/base/target.hpp"
#include "harness/machine/kernel/site.hpp"

// grid_barrier(): waits until every thread of a cooperative launch (LaunchShape::cooperative) has
// arrived. Writes of the grid's threads before the barrier are visible to all of them after it. All
// threads of the grid must reach it, at the same line. CUDA C++ Programming Guide, "Grid
// Synchronization"

#if CAMBER_ON_DEVICE
    #define _CG_LIMIT_INCLUDED_DEPENDENCIES  // not libcu++, a quarter of all that nvcc would read
    #include <cooperative_groups.h>

CAMBER_TARGET_BEGIN

CAMBER_DEVICE void grid_barrier(Site = Site::current()) {
    cooperative_groups::this_grid().sync();
}

CAMBER_TARGET_END

#else

    #include "harness/machine/simt/thread.hpp"

CAMBER_TARGET_BEGIN

inline void grid_barrier(const Site& site = Site::current()) {
    simt::grid_barrier(site);
}

CAMBER_TARGET_END

#endif

// Counters by which blocks, also on several devices, wait for each other's rows
//
// On the executor, a launch that is not cooperative ends before another one begins, so its blocks
// cannot wait for those of another device: the launch is delayed until the counts that it waits for
// are reached, and a missing count is a fault. Cooperative launches take turns.

#if CAMBER_ON_DEVICE

    #include "harness/machine/cuda/arrivals.cuh"

CAMBER_TARGET_BEGIN

// Called by one thread: returns once the count is at least `least`.
CAMBER_DEVICE void wait_for(const std::uint32_t* count, std::uint32_t least) {
    cuda::wait_for(count, least);
}
// Called by every thread: makes its writes visible on every device before its subsequent counts.
CAMBER_DEVICE void publish() {
    __threadfence_system();
}
// Called by one thread of each of `blocks` blocks, after publish() and a barrier: the last block
// adds to `arrivals`. Returns true for the last block. `done` is 0 before and after.
CAMBER_DEVICE bool announce(std::uint32_t* done, unsigned blocks, std::uint32_t* arrivals) {
    return cuda::announce(done, blocks, arrivals);
}
// Called by the block's first thread: adds 1 and returns the previous value.
CAMBER_DEVICE std::uint32_t count_next(std::uint32_t* count) {
    return cuda::count_next(count);
}
// Called by one thread, after a barrier that follows all the block's stores: makes them visible on
// this device, then adds 1.
CAMBER_DEVICE void count_block(std::uint32_t* count) {
    cuda::count_block(count);
}

CAMBER_TARGET_END

#else

    #include <atomic>

    #include "harness/machine/simt/thread.hpp"

CAMBER_TARGET_BEGIN

inline bool has_come(const std::uint32_t* count, std::uint32_t least) {
    const std::atomic_ref<std::uint32_t> come(*const_cast<std::uint32_t*>(count));
    return static_cast<std::int32_t>(come - least) >= 0;
}
inline void wait_for(const std::uint32_t* count, std::uint32_t least) {
    if (!has_come(count, least)) simt::wait_until_counted(count, least);
    simt::report_wait(count, least);
}
inline void publish() {}
inline bool announce(std::uint32_t* done, unsigned blocks, std::uint32_t* arrivals) {
    const std::atomic_ref<std::uint32_t> count(*done);
    if (++count < blocks) return false;
    count = 0;
    simt::report_count(arrivals, ++std::atomic_ref<std::uint32_t>(*arrivals));
    return true;
}
inline std::uint32_t count_next(std::uint32_t* count) {
    return std::atomic_ref<std::uint32_t>(*count)++;
}
inline void count_block(std::uint32_t* count) {
    ++std::atomic_ref<std::uint32_t>(*count);
}

CAMBER_TARGET_END

#endif
