// Files with compiled code, made of the committed fat binaries: archives, object files, and fat
// binaries with other compression.
#pragma once

#include <elf.h>
#include <lz4.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/machine/binary/fat_binary.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace camber::binary_test {

namespace fs = std::filesystem;
using results_test::text_of;

inline const fs::path compiled = fs::path(CAMBER_SOURCE_DIR) / "examples/compiled";

// The decompressed entry number `index`: cubins for sm_75, sm_90a and sm_120, then PTX.
inline std::string entry_of(const std::string& fat_binary, std::size_t index) {
    std::vector<std::string> entries;
    binary::for_each_entry(binary::Bytes(fat_binary, "test"), [&](const binary::FatEntry& entry) {
        entries.push_back(entry.compressed ? binary::decompressed(entry)
                                           : std::string(entry.payload.text()));
    });
    return entries.at(index);
}

template <class T>
std::string bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

// A fat binary with one cubin, compressed with LZ4 as by older toolkits.
inline std::string lz4_fat_binary(const std::string& cubin, int architecture) {
    std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(cubin.size()))),
                       '\0');
    packed.resize(static_cast<std::size_t>(LZ4_compress_default(cubin.data(), packed.data(),
                                                                static_cast<int>(cubin.size()),
                                                                static_cast<int>(packed.size()))));
    const auto compressed_bytes = static_cast<std::uint32_t>(packed.size());
    packed.resize((packed.size() + 7) / 8 * 8);
    constexpr std::uint32_t header_bytes = 64;
    std::string entry = bytes_of(std::uint16_t(2)) + bytes_of(std::uint16_t(0x101)) +
                        bytes_of(header_bytes) + bytes_of(std::uint64_t(packed.size())) +
                        bytes_of(compressed_bytes) + bytes_of(std::uint32_t(0)) +
                        bytes_of(std::uint16_t(8)) + bytes_of(std::uint16_t(1)) +
                        bytes_of(std::uint32_t(architecture)) + bytes_of(std::uint64_t(0)) +
                        bytes_of(std::uint64_t(0x2011)) + bytes_of(std::uint64_t(0)) +
                        bytes_of(std::uint64_t(cubin.size())) + packed;
    return bytes_of(std::uint32_t(0xBA55ED50)) + bytes_of(std::uint16_t(1)) +
           bytes_of(std::uint16_t(16)) + bytes_of(std::uint64_t(entry.size())) + entry;
}

// An x86 object file with one section of data.
inline std::string object_file(const std::string& section, const std::string& data) {
    const std::string names = std::string(1, '\0') + section + '\0' + ".shstrtab" + '\0';
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_REL;
    header.e_machine = EM_X86_64;
    header.e_ehsize = sizeof header;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 3;
    header.e_shstrndx = 2;
    header.e_shoff = sizeof header + data.size() + names.size();
    Elf64_Shdr sections[3]{};
    sections[1].sh_name = 1;
    sections[1].sh_type = SHT_PROGBITS;
    sections[1].sh_flags = SHF_ALLOC;
    sections[1].sh_offset = sizeof header;
    sections[1].sh_size = data.size();
    sections[2].sh_name = static_cast<Elf64_Word>(section.size() + 2);
    sections[2].sh_type = SHT_STRTAB;
    sections[2].sh_offset = sizeof header + data.size();
    sections[2].sh_size = names.size();
    return bytes_of(header) + data + names + bytes_of(sections);
}

inline std::string archive_member(const std::string& name, const std::string& data) {
    const auto padded = [](std::string text, std::size_t width) {
        text.resize(width, ' ');
        return text;
    };
    return padded(name, 16) + padded("0", 12) + padded("0", 6) + padded("0", 6) +
           padded("100644", 8) + padded(std::to_string(data.size()), 10) + "`\n" + data +
           std::string(data.size() % 2, '\n');
}

// An archive with a long member name.
inline std::string archive(const std::string& first, const std::string& second) {
    return "!<arch>\n" + archive_member("/", std::string(4, '\0')) +
           archive_member("//", "a_name_with_more_letters.o/\n") + archive_member("one.o/", first) +
           archive_member("/0", second);
}

}  // namespace camber::binary_test
