// Warp requests for tests.
#pragma once

#include <cstdint>
#include <random>

#include "harness/base/kernel_launch.hpp"

namespace camber {

// Request in which lane l accesses `size` bytes at address(l).
template <class Address>
WarpRequest make_request(std::uint32_t size, Address&& address, std::uint32_t active = ~0u,
                         Space space = Space::global, Operation operation = Operation::load) {
    WarpRequest request{.space = space, .operation = operation, .size = size, .active = active};
    for (int lane = 0; lane < warp_lanes; ++lane) {
        if (request.is_active(lane)) request.address[lane] = address(lane);
    }
    return request;
}

// Random request: words, strides, gathers, broadcasts and negative addresses, with any active
// lanes.
inline WarpRequest random_request(std::mt19937_64& engine, Space space = Space::global) {
    const auto below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(n));
    };
    const std::uint32_t size = 1u << below(5);
    const std::int64_t elements = std::int64_t{1} << below(14);  // the range of gathers
    const std::int64_t offset = below(4096) - (space == Space::global ? 2048 : 0);
    const std::int64_t stride = below(3) == 0 ? below(70) : 1;
    const std::int64_t row = 1 + below(32);
    const std::int64_t pitch = below(600);
    const std::int64_t kind = below(4);
    const std::uint32_t active = below(3) == 0 ? ~0u : static_cast<std::uint32_t>(engine());
    const auto operation = below(2) == 0 ? Operation::load : Operation::store;
    return make_request(
        size,
        [&](int lane) -> std::int64_t {
            switch (kind) {
                case 0:
                    return size * (offset + stride * lane);
                case 1:
                    return size * (offset + lane % row + pitch * (lane / row));
                case 2:
                    return size * (offset + stride * (31 - lane));
                default:
                    return size * (offset + below(elements));
            }
        },
        active, space, operation);
}

}  // namespace camber
