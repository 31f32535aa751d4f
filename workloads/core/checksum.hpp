// FNV-1a, 64 bit (Fowler, Noll, Vo): the checksum of final states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace camber {

class Checksum {
  public:
    void add(std::uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3; }
    // Four bytes, the least significant first.
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

}  // namespace camber
