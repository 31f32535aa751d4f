// Deterministic initial data: the same on every machine.
#pragma once

#include <cstdint>

namespace camber {

// A 64-bit hash of (seed, i): the output function of SplitMix64 (Steele, Lea, Flood 2014).
constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t i) {
    std::uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15;
    z ^= z >> 30;
    z *= 0xBF58476D1CE4E5B9;
    z ^= z >> 27;
    z *= 0x94D049BB133111EB;
    z ^= z >> 31;
    return z;
}

// Uniform in [0, 1), exact in double.
constexpr double uniform(std::uint64_t seed, std::uint64_t i) {
    return static_cast<double>(mix(seed, i) >> 11) * 0x1p-53;
}

// Uniform in [0, 1), exact in float.
constexpr float uniform_float(std::uint64_t seed, std::uint64_t i) {
    return static_cast<float>(mix(seed, i) >> 40) * 0x1p-24f;
}

}  // namespace camber
