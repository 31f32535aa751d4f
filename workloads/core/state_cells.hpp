// Helpers for cells of initial and final states: random numbers that are the same on every machine,
// checksums, and calls that depend on the floating-point type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/base/state.hpp"

namespace camber {

// Deterministic initial data, equal on every machine.

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

// Uniform in [0, 1), exactly representable in double.
constexpr double uniform(std::uint64_t seed, std::uint64_t i) {
    return static_cast<double>(mix(seed, i) >> 11) * 0x1p-53;
}

// Uniform in [0, 1), exactly representable in float.
constexpr float uniform_float(std::uint64_t seed, std::uint64_t i) {
    return static_cast<float>(mix(seed, i) >> 40) * 0x1p-24f;
}

// Checksum of final states: FNV-1a, 64 bit (Fowler, Noll, Vo).
class Checksum {
  public:
    void add(std::uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3; }
    // Adds four bytes, the least significant first.
    void add_word(std::uint32_t word) {
        for (int shift = 0; shift < 32; shift += 8) add(static_cast<std::uint8_t>(word >> shift));
    }
    void add(std::span<const std::byte> bytes) {
        for (const std::byte byte : bytes) add(static_cast<std::uint8_t>(byte));
    }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325;
};

// Calls that depend on a floating-point cell type known only at run time.

// Calls f with a zero of type double for float64, else of type float.
template <class F>
auto with_real_type(ElementType type, const F& f) {
    return type == ElementType::float64 ? f(double{}) : f(float{});
}

// Calls f with the field's cells as a span of double or float.
template <class Field, class F>
auto with_real_cells(Field& field, const F& f) {
    return with_real_type(field.element(),
                          [&]<class R>(R) { return f(field.template cells<R>()); });
}

}  // namespace camber
