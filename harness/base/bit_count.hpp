// Number of one bits, by the instruction that baseline x86-64 lacks but nearly every CPU has. It is chosen at
// run time. (Fused multiply-adds stay calls of the math library: its own VEX instruction among the others'
// SSE instructions made a test of blur 13 times as slow.)
#pragma once

#include <bit>
#include <cstdint>

namespace camber {

#if defined(__x86_64__) && !defined(__CUDACC__)
inline const bool has_popcnt = __builtin_cpu_supports("popcnt");
#endif

inline int bit_count(std::uint32_t bits) {
#if defined(__x86_64__) && !defined(__CUDACC__)
    if (has_popcnt) {
        std::uint32_t count;
        asm("popcnt %1, %0" : "=r"(count) : "r"(bits) : "cc");
        return static_cast<int>(count);
    }
#endif
    return std::popcount(bits);
}

}  // namespace camber
