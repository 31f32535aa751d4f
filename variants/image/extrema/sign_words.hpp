// Comparisons as sign bits. A difference of two floats goes through the pipe for floating-point
// arithmetic, which takes 128 lanes a clock from compute capability 8.6 and 9.0 on; a comparison or
// a maximum goes through that for integers and logic, which takes 64 (CUDA C++ Programming Guide,
// table of arithmetic throughput).
#pragma once

#include <cstdint>

#include "harness/base/target.hpp"

CAMBER_WORKLOAD_BEGIN(extrema)

// Zero without its sign; other numbers as they are.
CAMBER_DEVICE float without_sign_of_zero(float value) {
    return value + 0.0f;
}

// Its highest bit is set if a < b; the others mean nothing. Zeros have no sign. A difference of
// unequal floats is never zero, since small ones are kept as they are, and one that is NaN has no
// sign on a GPU (PTX ISA, section on floating-point instructions).
CAMBER_DEVICE std::uint32_t sign_if_less(float a, float b) {
#ifdef __CUDA_ARCH__
    return __float_as_uint(a - b);
#else
    return a < b ? 0x80000000u : 0u;
#endif
}

// A byte for each of four columns, the first in the lowest: 1 where the highest bit of `peak` is
// set, 255 where that of `pit` is, else 0. Both are never set at once.
CAMBER_DEVICE std::uint32_t bytes_of_signs(const std::uint32_t (&peak)[4],
                                           const std::uint32_t (&pit)[4]) {
#ifdef __CUDA_ARCH__
    // A selector of 8 + i is the sign of byte i, eight times.
    const auto masks = [](const std::uint32_t(&words)[4]) {
        const auto pair = [](std::uint32_t first, std::uint32_t second) {
            std::uint32_t result;
            asm("prmt.b32 %0, %1, %2, 0xfbfb;" : "=r"(result) : "r"(first), "r"(second));
            return result;
        };
        return __byte_perm(pair(words[0], words[1]), pair(words[2], words[3]), 0x5410);
    };
    return masks(pit) | (masks(peak) & 0x01010101u);
#else
    std::uint32_t bytes = 0;
    for (int c = 0; c < 4; ++c) bytes |= (pit[c] >> 31 ? 0xffu : peak[c] >> 31) << 8 * c;
    return bytes;
#endif
}

CAMBER_TARGET_END
