// A cubin for the fake driver: an ELF file with the kernels' names and the variables of a module.
// Its code is never executed; the fake driver runs a function of the same name instead.
#pragma once

#include <elf.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace camber::capture_test {

// `variables`: names and bytes of __constant__ variables. `called`: function that the first kernel
// calls, which is not in the cubin.
inline std::string fake_cubin(
    const std::vector<std::string>& kernels,
    const std::vector<std::pair<std::string, std::string>>& variables = {},
    const std::string& called = "") {
    constexpr Elf64_Half cuda_machine = 190;
    constexpr unsigned char entry_flag = 0x10;
    constexpr std::size_t instruction_bytes = 16;
    const auto bytes_of = [](const auto& value) {
        return std::string(reinterpret_cast<const char*>(&value), sizeof value);
    };
    std::string section_names(1, '\0');
    std::string symbol_names(1, '\0');
    std::string content;
    std::string symbols = bytes_of(Elf64_Sym{});
    std::vector<Elf64_Shdr> sections(1);
    const auto add_section = [&](const std::string& name, Elf64_Word type, const std::string& data,
                                 Elf64_Xword flags = 0) {
        content.resize((content.size() + 15) / 16 * 16);
        Elf64_Shdr section{};
        section.sh_name = static_cast<Elf64_Word>(section_names.size());
        section.sh_type = type;
        section.sh_flags = flags;
        section.sh_offset = sizeof(Elf64_Ehdr) + content.size();
        section.sh_size = data.size();
        section_names += name + '\0';
        content += data;
        sections.push_back(section);
    };
    const auto add_symbol = [&](const std::string& name, unsigned char type, unsigned char other,
                                std::size_t offset, std::size_t bytes) {
        Elf64_Sym symbol{};
        symbol.st_name = static_cast<Elf64_Word>(symbol_names.size());
        symbol.st_info = static_cast<unsigned char>(STB_GLOBAL << 4 | type);
        symbol.st_other = other;
        symbol.st_shndx = static_cast<Elf64_Half>(sections.size() - 1);
        symbol.st_value = offset;
        symbol.st_size = bytes;
        symbol_names += name + '\0';
        symbols += bytes_of(symbol);
    };
    for (const std::string& kernel : kernels) {
        // EXIT of compute capability 9.0
        std::string code(instruction_bytes, '\0');
        code[0] = 0x4d;
        code[1] = 0x79;
        add_section(".text." + kernel, SHT_PROGBITS, code, SHF_ALLOC | SHF_EXECINSTR);
        add_symbol(kernel, STT_FUNC, entry_flag, 0, code.size());
    }
    if (!variables.empty()) {
        std::string data;
        for (const auto& [name, bytes] : variables) data += bytes;
        add_section(".nv.constant3", SHT_PROGBITS, data, SHF_ALLOC);
        std::size_t offset = 0;
        for (const auto& [name, bytes] : variables) {
            add_symbol(name, STT_OBJECT, 0, offset, bytes.size());
            offset += bytes.size();
        }
    }
    if (!called.empty()) {
        const auto number = symbols.size() / sizeof(Elf64_Sym);
        add_symbol(called, STT_FUNC, 0, 0, 0);
        Elf64_Rel call{};
        call.r_info = ELF64_R_INFO(number, 1);
        add_section(".rel.text." + kernels.front(), SHT_REL, bytes_of(call));
    }
    add_section(".strtab", SHT_STRTAB, symbol_names);
    add_section(".symtab", SHT_SYMTAB, symbols);
    sections.back().sh_link = static_cast<Elf64_Word>(sections.size() - 2);
    sections.back().sh_entsize = sizeof(Elf64_Sym);
    section_names.reserve(section_names.size() + 16);
    const std::string own_name = ".shstrtab";
    add_section(own_name, SHT_STRTAB, section_names + own_name + '\0');
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = cuda_machine;
    header.e_flags = 0x5a055a;  // sm_90, in the format of CUDA 12
    header.e_ehsize = sizeof header;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<Elf64_Half>(sections.size());
    header.e_shstrndx = static_cast<Elf64_Half>(sections.size() - 1);
    content.resize((content.size() + 15) / 16 * 16);
    header.e_shoff = sizeof header + content.size();
    std::string file = bytes_of(header) + content;
    for (const Elf64_Shdr& section : sections) file += bytes_of(section);
    return file;
}

}  // namespace camber::capture_test
