// Description of a kernel launch that needs no CUDA headers: grid and block shape, texture
// addressing, constant memory capacity, and the memory requests of its warps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace camber {

// How a kernel is launched: its blocks, its threads, its memory.

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
    // wait_for_launch_ahead() (harness/machine/kernel/launch.hpp) before it touches memory.
    bool early = false;
};

// How a texture addresses a field.

// Two dimensions, or one line of elements whose index the view computes.
enum class TextureShape { pitched, linear };

// What a pitched texture yields outside the board: 0, or the nearest cell.
enum class Addressing { border, clamp };

// How much constant memory a kernel has.

// CUDA C++ Programming Guide, table of compute capabilities.
inline constexpr std::size_t constant_capacity = 65536;  // bytes

// One memory instruction of one warp: what the transaction rules take and a trace yields.

// bulk: global memory, by copies that go on by themselves; a request is of 512 bytes at most.
// distributed: the shared memory of another block of the cluster.
enum class Space : std::uint8_t { global, shared, texture, local, constant, bulk, distributed };

// Of the block itself or of another one.
constexpr bool is_shared(Space space) {
    return space == Space::shared || space == Space::distributed;
}

// Those that are served in passes, over banks or over addresses, and not in sectors.
constexpr bool in_passes(Space space) {
    return is_shared(space) || space == Space::constant;
}

enum class Operation : std::uint8_t { load, store, atomic };

inline constexpr int warp_lanes = 32;

struct WarpRequest {
    Space space = Space::global;
    Operation operation = Operation::load;
    std::uint32_t size = 4;    // bytes per lane: 1, 2, 4, 8 or 16
    std::uint32_t active = 0;  // bit l: lane l takes part
    // Byte addresses of the active lanes, multiples of `size`; in shared memory counted from the
    // start of the block's.
    std::array<std::int64_t, warp_lanes> address{};
    std::uint32_t cluster_barriers = 0;  // that the lanes passed before
    std::uint32_t rounds = 0;            // of loops without accesses, before
    std::uint32_t warp = 0;              // of the block

    bool is_active(int lane) const { return active >> lane & 1; }
};

}  // namespace camber
