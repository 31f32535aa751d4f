// One memory instruction of one warp: what the transaction rules take and a trace yields.
#pragma once

#include <array>
#include <cstdint>

namespace camber {

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
