// Forms in which nvcc stores kernels: fat binaries, with the machine code and the PTX of several
// architectures, and PTX itself.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/binary/bytes.hpp"
#include "harness/record/code_inspection.hpp"

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

// ---- PTX, the text form of code for a class of architectures

// Returns true if the text is PTX: a ".version" after comments.
bool is_ptx(std::string_view text);

// The kernels (.entry) of PTX for the architecture in its .target line.
std::vector<results::CompiledKernel> kernels_in_ptx(const Bytes& file);

}  // namespace camber::binary
