#include "harness/machine/binary/elf.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>

namespace camber::binary {
namespace {

// Real files have a few thousand; the largest cubins of NVIDIA's libraries have tens of thousands.
constexpr std::uint64_t most_sections = 4 << 20;

}  // namespace

bool is_elf(std::string_view start) {
    return start.starts_with(std::string_view(ELFMAG, SELFMAG));
}

Bytes ElfSection::data() const {
    if (!has_bytes) return file.part(0, 0, "an empty section");
    return file.part(offset, size, fmt::format("the section {}", name));
}

Elf::Elf(const Bytes& file) {
    if (file.size() < EI_NIDENT || !is_elf(file.text())) file.fail(0, "this is no ELF file");
    if (file.text()[EI_CLASS] != ELFCLASS64 || file.text()[EI_DATA] != ELFDATA2LSB)
        file.fail(EI_CLASS, "this is no 64-bit little-endian ELF file, and no other is supported");
    const auto header = file.value<Elf64_Ehdr>(0, "the ELF header");
    machine_ = header.e_machine;
    flags_ = header.e_flags;
    abi_version_ = header.e_ident[EI_ABIVERSION];
    // Nothing there is needed, but a file that lacks it is incomplete.
    file.part(header.e_phoff, std::uint64_t(header.e_phnum) * header.e_phentsize,
              "the table of program headers");
    if (header.e_shoff == 0) return;
    if (header.e_shentsize != sizeof(Elf64_Shdr))
        file.fail(offsetof(Elf64_Ehdr, e_shentsize),
                  fmt::format("section headers have {} bytes and not {}", header.e_shentsize,
                              sizeof(Elf64_Shdr)));
    // Large counts are stored in the first section.
    const auto first = file.value<Elf64_Shdr>(header.e_shoff, "the first section header");
    const std::uint64_t count = header.e_shnum != 0 ? header.e_shnum : first.sh_size;
    const std::uint64_t names = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : first.sh_link;
    if (count > most_sections)
        file.fail(header.e_shoff, fmt::format("{} sections are more than any file has", count));
    const Bytes table =
        file.part(header.e_shoff, count * sizeof(Elf64_Shdr), "the table of sections");
    const auto header_of = [&](std::uint64_t number) {
        return table.value<Elf64_Shdr>(number * sizeof(Elf64_Shdr), "a section header");
    };
    if (count > 0 && names >= count)
        file.fail(offsetof(Elf64_Ehdr, e_shstrndx),
                  fmt::format("the names are in section {} of {}", names, count));
    Bytes strings;
    sections_.reserve(count);
    if (count > 0) {
        const Elf64_Shdr of_names = header_of(names);
        strings = file.part(of_names.sh_offset, of_names.sh_size, "the table of section names");
    }
    for (std::uint64_t k = 0; k < count; ++k) {
        const Elf64_Shdr entry = header_of(k);
        ElfSection section;
        if (entry.sh_type != SHT_NULL)
            section.name = strings.zero_terminated(entry.sh_name, "a section's name");
        section.type = entry.sh_type;
        section.flags = entry.sh_flags;
        section.link = entry.sh_link;
        section.info = entry.sh_info;
        section.size = entry.sh_size;
        section.file = file;
        section.offset = entry.sh_offset;
        section.has_bytes = entry.sh_type != SHT_NULL && entry.sh_type != SHT_NOBITS;
        sections_.push_back(std::move(section));
    }
}

const ElfSection* Elf::find(std::string_view name) const {
    const auto found = std::ranges::find(sections_, name, &ElfSection::name);
    return found == sections_.end() ? nullptr : &*found;
}

std::vector<ElfSymbol> Elf::symbols() const {
    const auto table = std::ranges::find(sections_, std::uint32_t(SHT_SYMTAB), &ElfSection::type);
    std::vector<ElfSymbol> symbols;
    if (table == sections_.end()) return symbols;
    if (table->link >= sections_.size())
        table->file.fail(table->offset, fmt::format("the symbols' names are in section {} of {}",
                                                    table->link, sections_.size()));
    const Bytes strings = sections_[table->link].data();
    const Bytes entries = table->data();
    // Section numbers beyond 16 bits are in a table of their own.
    const auto further =
        std::ranges::find(sections_, std::uint32_t(SHT_SYMTAB_SHNDX), &ElfSection::type);
    const Bytes numbers = further != sections_.end() ? further->data() : Bytes();
    const std::uint64_t count = entries.size() / sizeof(Elf64_Sym);
    symbols.reserve(count);
    for (std::uint64_t k = 0; k < count; ++k) {
        const auto entry = entries.value<Elf64_Sym>(k * sizeof(Elf64_Sym), "a symbol");
        ElfSymbol symbol;
        symbol.name = strings.zero_terminated(entry.st_name, "a symbol's name");
        symbol.type = ELF64_ST_TYPE(entry.st_info);
        symbol.other = entry.st_other;
        symbol.section = entry.st_shndx;
        if (entry.st_shndx == SHN_XINDEX && further != sections_.end())
            symbol.section = numbers.value<std::uint32_t>(k * sizeof(std::uint32_t),
                                                          "a symbol's section number");
        symbol.value = entry.st_value;
        symbol.size = entry.st_size;
        symbols.push_back(symbol);
    }
    return symbols;
}

std::vector<ElfRelocation> Elf::relocations(const ElfSection& section) {
    std::vector<ElfRelocation> relocations;
    const bool with_addend = section.type == SHT_RELA;
    if (!with_addend && section.type != SHT_REL) return relocations;
    const std::uint64_t size = with_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    const Bytes data = section.data();
    const std::uint64_t count = data.size() / size;
    relocations.reserve(count);
    for (std::uint64_t k = 0; k < count; ++k) {
        Elf64_Rela entry{};
        if (with_addend) {
            entry = data.value<Elf64_Rela>(k * size, "a relocation");
        } else {
            const auto plain = data.value<Elf64_Rel>(k * size, "a relocation");
            entry.r_offset = plain.r_offset;
            entry.r_info = plain.r_info;
        }
        relocations.push_back(
            {entry.r_offset, static_cast<std::uint32_t>(ELF64_R_TYPE(entry.r_info)),
             static_cast<std::uint32_t>(ELF64_R_SYM(entry.r_info)), entry.r_addend});
    }
    return relocations;
}

}  // namespace camber::binary
