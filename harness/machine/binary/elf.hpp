// Reader of 64-bit ELF files: sections and symbols of host programs and of cubins.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/machine/binary/bytes.hpp"

namespace camber::binary {

struct ElfSection {
    std::string_view name;
    std::uint32_t type = 0;
    std::uint64_t flags = 0;
    std::uint32_t link = 0;
    std::uint32_t info = 0;
    std::uint64_t size = 0;  // also of sections without bytes in the file

    // The section's bytes; empty for a section without bytes in the file. Throws Error(usage) if
    // they are not in the file: some toolkits write such sections, which nobody reads.
    Bytes data() const;

    Bytes file;
    std::uint64_t offset = 0;
    bool has_bytes = false;
};

struct ElfSymbol {
    std::string_view name;
    std::uint8_t type = 0;   // STT_...
    std::uint8_t other = 0;  // visibility, and flags of the machine
    std::uint32_t section = 0;
    std::uint64_t value = 0;
    std::uint64_t size = 0;
};

// Relocation of a section: at `offset`, the value of `symbol` plus `addend`.
struct ElfRelocation {
    std::uint64_t offset = 0;
    std::uint32_t type = 0;
    std::uint32_t symbol = 0;
    std::int64_t addend = 0;  // 0 if the format stores it in the section
};

bool is_elf(std::string_view start);

class Elf {
  public:
    // Throws Error(usage) if the file is no complete 64-bit little-endian ELF file.
    explicit Elf(const Bytes& file);

    std::uint16_t machine() const { return machine_; }
    std::uint32_t flags() const { return flags_; }
    int abi_version() const { return abi_version_; }

    const std::vector<ElfSection>& sections() const { return sections_; }
    // The first section of this name, or nullptr.
    const ElfSection* find(std::string_view name) const;
    // Reads the symbol table; empty if there is none.
    std::vector<ElfSymbol> symbols() const;
    // Relocations in a section of type SHT_REL or SHT_RELA; empty for others.
    static std::vector<ElfRelocation> relocations(const ElfSection& section);

  private:
    std::vector<ElfSection> sections_;
    std::uint16_t machine_ = 0;
    std::uint32_t flags_ = 0;
    int abi_version_ = 0;
};

}  // namespace camber::binary
