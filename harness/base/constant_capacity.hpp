// How much constant memory a kernel has.
#pragma once

#include <cstddef>

namespace camber {

// CUDA C++ Programming Guide, table of compute capabilities.
inline constexpr std::size_t constant_capacity = 65536;  // bytes

}  // namespace camber
