// Poison: the bytes of an output before the kernel that must write it runs.
//
// A cell that the kernel skips keeps its poison, which cannot be mistaken for a computed value. A
// floating-point cell is poisoned with a signaling NaN: it equals no value, and arithmetic never
// returns one, so a cell that still has it was never written. For integers every pattern is a legal
// value, so there are two complementary patterns: at most one of them equals the correct value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "harness/base/state.hpp"

namespace camber {

enum class Poison : std::uint8_t { first, second };

// Initial value of every byte of shared memory on the executor. Shared memory has no element type;
// as a float the pattern is -2.7e7, as an index it is out of bounds.
inline constexpr int shared_poison = 0xcb;

// Period of the pattern in bytes, for any element type.
inline constexpr std::size_t poison_period = 8;

// Pattern of 8 bytes of consecutive elements; the byte at the lowest address is the lowest one.
constexpr std::uint64_t poison_pattern(ElementType element, Poison poison) {
    const bool first = poison == Poison::first;
    switch (element) {
        case ElementType::float32:
            return first ? 0x7fa5a5a5'7fa5a5a5u : 0xff9a5a5a'ff9a5a5au;
        case ElementType::float64:
            return first ? 0x7ff5a5a5'a5a5a5a5u : 0xfff25a5a'5a5a5a5au;
        case ElementType::uint8:
        case ElementType::uint32:
        case ElementType::int32:
        case ElementType::bits:
            break;
    }
    return first ? 0xa5a5a5a5'a5a5a5a5u : 0x5a5a5a5a'5a5a5a5au;
}

// Element type that determines the poison for memory of `T`: the member type of a CUDA vector,
// bytes for anything else that is not a floating-point number.
template <class T>
constexpr ElementType poisoned_as() {
    if constexpr (std::is_same_v<T, float>)
        return ElementType::float32;
    else if constexpr (std::is_same_v<T, double>)
        return ElementType::float64;
    else if constexpr (requires(T vector) { vector.x; })
        return poisoned_as<decltype(T::x)>();
    else
        return ElementType::uint8;
}

// Fills `memory`, whose first byte is the first byte of an element.
inline void fill_with_poison(std::span<std::byte> memory, ElementType element, Poison poison) {
    const std::uint64_t pattern = poison_pattern(element, poison);
    std::size_t done = 0;
    for (; done + poison_period <= memory.size(); done += poison_period)
        std::memcpy(memory.data() + done, &pattern, poison_period);
    std::memcpy(memory.data() + done, &pattern, memory.size() - done);
}

// Returns true if a cell contains its poison.
inline bool is_poison(const std::byte* cell, ElementType element, Poison poison) {
    const std::uint64_t pattern = poison_pattern(element, poison);
    return std::memcmp(cell, &pattern, static_cast<std::size_t>(info(element).size)) == 0;
}

}  // namespace camber
