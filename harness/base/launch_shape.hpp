// How a kernel is launched: its blocks, its threads, its memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace camber {

// Blocks and threads, x fastest.
struct Extent {
    unsigned x = 1;
    unsigned y = 1;
    unsigned z = 1;
    std::size_t count() const { return std::size_t{x} * y * z; }
};

// How the multiprocessor's fast memory is to be divided between L1 cache and shared memory: the
// driver's choice, or as much as possible for one of the two.
enum class CarveOut : std::int8_t { driver, l1, shared };

struct LaunchShape {
    Extent grid;
    Extent block;
    std::size_t dynamic_shared = 0;  // bytes
    CarveOut carve_out = CarveOut::driver;
    bool cooperative = false;  // all blocks are resident at once and may wait for each other
    // Blocks that run at the same time and reach each other's shared memory; the grid is made of
    // whole clusters. CUDA C++ Programming Guide, "Thread Block Clusters".
    Extent cluster{};
    // Its blocks may begin before the launch ahead of it has ended. The kernel waits for that by
    // wait_for_launch_ahead() (harness/machine/kernel/launch_ahead.hpp) before it touches memory.
    bool early = false;
};

}  // namespace camber
