// Half precision (IEEE 754 binary16): 16 bits, of which 11 are significant. Kernels keep halves as
// their bits and compute in float.
#pragma once

#include <cstdint>

#include "harness/base/target.hpp"

#if CAMBER_ON_DEVICE

    #include <cuda_fp16.h>

CAMBER_TARGET_BEGIN

// Rounds to the nearest half, ties to even; infinity if the value is too large.
CAMBER_DEVICE std::uint16_t half_bits(float value) {
    return __half_as_ushort(__float2half_rn(value));
}
CAMBER_DEVICE float half_value(std::uint16_t bits) {
    return __half2float(__ushort_as_half(bits));
}

CAMBER_TARGET_END

#else

    #include <bit>

CAMBER_TARGET_BEGIN

inline std::uint16_t half_bits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000;
    const std::uint32_t size = bits & 0x7fffffff;
    std::uint32_t half;
    if (size > 0x7f800000) {
        half = 0x7fff;  // NaN
    } else if (size >= 0x47800000) {
        half = 0x7c00;  // 65536 or larger
    } else if (size < 0x38800000) {
        // Below 2^-14, halves are multiples of 2^-24: the addition rounds to one of them.
        half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5f) - 0x3f000000;
    } else {
        // Rounding may carry into the exponent.
        const std::uint32_t odd = size >> 13 & 1;
        half = (size - 0x38000000 + 0xfff + odd) >> 13;
    }
    return static_cast<std::uint16_t>(sign | half);
}

inline float half_value(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000u) << 16;
    const std::uint32_t exponent = bits >> 10 & 0x1f;
    const std::uint32_t fraction = bits & 0x3ff;
    if (exponent == 0) {
        const float size = static_cast<float>(fraction) * 0x1p-24f;
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(size));
    }
    const std::uint32_t wide = exponent == 0x1f ? 0xffu : exponent + 112;
    return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

CAMBER_TARGET_END

#endif
