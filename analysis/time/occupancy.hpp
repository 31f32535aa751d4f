// Occupancy of an SM by a kernel's blocks.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/memory/architecture.hpp"

namespace camber {

struct BlockNeeds {
    int threads = 0;
    int registers = 0;             // of a thread
    std::size_t shared_bytes = 0;  // static and dynamic
};

// Resident warps over the most that an SM holds, 0 to 1, as the runtime computes it for
// kernels that leave the division of L1 and shared memory to the driver. Of compute capability 5.0
// to 12.x (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; CUDA
// Occupancy Calculator); nothing for others.
std::optional<double> occupancy(const BlockNeeds& block, const Architecture& architecture);

}  // namespace camber
