// Fat binaries, in which nvcc stores the machine code and the PTX of several architectures.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "harness/machine/binary/bytes.hpp"

namespace camber::binary {

enum class FatKind : std::uint8_t {
    ptx,
    cubin,
    intermediate,  // for optimization at link time: no machine code yet
    other,
};

// One entry: the code of one source file for one architecture.
struct FatEntry {
    FatKind kind = FatKind::other;
    int architecture = 0;     // 90
    std::string_view suffix;  // "a": for this architecture alone, "f": for its family, or ""
    Bytes payload;            // maybe compressed
    bool compressed = false;
    std::uint64_t full_size = 0;  // after decompression, if compressed
    std::uint64_t flags = 0;
};

// Returns true if a container may begin with these bytes.
bool is_fat_binary(std::string_view start);

// Visits all entries of the container at the beginning of `bytes`; returns the container's size.
// Throws Error(usage) if it is damaged.
std::uint64_t for_each_entry(const Bytes& bytes, const std::function<void(const FatEntry&)>& visit);

// Visits the entries of all containers in a section that contains nothing else but padding.
void for_each_entry_in_section(const Bytes& section,
                               const std::function<void(const FatEntry&)>& visit);

// Visits the entries of containers anywhere in `bytes`. Bytes that only look like the beginning of
// one are skipped.
void find_entries(const Bytes& bytes, const std::function<void(const FatEntry&)>& visit);

// Returns the decompressed payload (LZ4 or Zstandard). Throws Error(usage) if it is damaged or if
// it has more than a gigabyte.
std::string decompressed(const FatEntry& entry);

}  // namespace camber::binary
