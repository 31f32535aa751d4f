// Description of a kernel launch that needs no CUDA headers: grid and block shape, texture
// addressing, constant memory capacity, and the memory requests of its warps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace camber {

// Launch shape of a kernel: blocks, threads, memory

// Blocks and threads, x fastest.
struct Extent {
    unsigned x = 1;
    unsigned y = 1;
    unsigned z = 1;
    std::size_t count() const { return std::size_t{x} * y * z; }
};

// Division of the SM's memory between L1 cache and shared memory: the driver's choice, or as much
// as possible for one of the two.
enum class CarveOut : std::int8_t { driver, l1, shared };

struct LaunchShape {
    Extent grid;
    Extent block;
    std::size_t dynamic_shared = 0;  // bytes
    CarveOut carve_out = CarveOut::driver;
    bool cooperative = false;  // all blocks are resident at once and may wait for each other
    // Blocks that run at the same time and access each other's shared memory; the grid consists of
    // whole clusters. CUDA C++ Programming Guide, "Thread Block Clusters".
    Extent cluster{};
    // Blocks may begin before the previous launch has ended. The kernel waits for that with
    // wait_for_launch_ahead() (harness/machine/kernel/launch.hpp) before it accesses memory.
    bool early = false;
};

// Texture addressing of a field

// Two-dimensional, or one line of elements whose index the view computes.
enum class TextureShape { pitched, linear };

// Value of a pitched texture outside the board: 0, or the nearest cell.
enum class Addressing { border, clamp };

// Capacity of constant memory. CUDA C++ Programming Guide, table of compute capabilities.
inline constexpr std::size_t constant_capacity = 65536;  // bytes

// Memory request of one warp instruction, as recorded in traces and processed by transaction rules

// bulk: global memory accessed by asynchronous copies; a request has at most 512 bytes.
// distributed: the shared memory of another block of the cluster.
enum class Space : std::uint8_t { global, shared, texture, local, constant, bulk, distributed };

// Shared memory of the block itself or of another one.
constexpr bool is_shared(Space space) {
    return space == Space::shared || space == Space::distributed;
}

// Spaces whose requests are served in passes, over banks or over addresses, and not in sectors.
constexpr bool in_passes(Space space) {
    return is_shared(space) || space == Space::constant;
}

enum class Operation : std::uint8_t { load, store, atomic };

inline constexpr int warp_lanes = 32;

struct WarpRequest {
    Space space = Space::global;
    Operation operation = Operation::load;
    std::uint32_t size = 4;    // bytes per lane: 1, 2, 4, 8 or 16
    std::uint32_t active = 0;  // bit l: lane l participates
    // Byte addresses of the active lanes, multiples of `size`; in shared memory relative to the
    // start of the block's shared memory.
    std::array<std::int64_t, warp_lanes> address{};
    std::uint32_t cluster_barriers = 0;  // passed by the lanes before
    std::uint32_t rounds = 0;            // iterations of loops without accesses, before
    std::uint32_t warp = 0;              // in the block

    bool is_active(int lane) const { return active >> lane & 1; }
};

}  // namespace camber
