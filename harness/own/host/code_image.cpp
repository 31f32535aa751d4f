#include "harness/own/host/code_image.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "harness/own/host/line_program.hpp"

namespace camber {

namespace {

template <class T>
T object_at(std::string_view bytes, std::uint64_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
        throw std::runtime_error("the compiled file is cut off");
    T object;
    std::memcpy(&object, bytes.data() + offset, sizeof object);
    return object;
}

std::string_view part_of(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
    if (offset > bytes.size() || bytes.size() - offset < size)
        throw std::runtime_error("the compiled file is cut off");
    return bytes.substr(offset, size);
}

std::string text_at(std::string_view strings, std::uint64_t offset) {
    const std::string_view rest = strings.substr(std::min<std::size_t>(offset, strings.size()));
    return std::string(rest.substr(0, rest.find('\0')));
}

class ElfFile {
  public:
    explicit ElfFile(std::string_view bytes)
        : bytes_(bytes), header_(object_at<Elf64_Ehdr>(bytes, 0)) {
        if (std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0 ||
            header_.e_ident[EI_CLASS] != ELFCLASS64)
            throw std::runtime_error("the compiled file is no ELF file of 64 bits");
        for (int i = 0; i < header_.e_shnum; ++i)
            sections_.push_back(
                object_at<Elf64_Shdr>(bytes, header_.e_shoff + i * header_.e_shentsize));
        if (header_.e_shstrndx < sections_.size()) names_ = contents(sections_[header_.e_shstrndx]);
    }

    std::string_view contents(const Elf64_Shdr& section) const {
        return section.sh_type == SHT_NOBITS ? std::string_view()
                                             : part_of(bytes_, section.sh_offset, section.sh_size);
    }
    const Elf64_Shdr* section(std::string_view name) const {
        for (const Elf64_Shdr& section : sections_)
            if (text_at(names_, section.sh_name) == name) return &section;
        return nullptr;
    }
    void read_segments(CodeImage& image) const {
        for (int i = 0; i < header_.e_phnum; ++i) {
            const auto segment =
                object_at<Elf64_Phdr>(bytes_, header_.e_phoff + i * header_.e_phentsize);
            if (segment.p_type == PT_TLS) image.thread_local_bytes = segment.p_memsz;
            if (segment.p_type == PT_LOAD)
                image.end = std::max<std::uint64_t>(image.end, segment.p_vaddr + segment.p_memsz);
        }
    }
    void read_symbols(CodeImage& image) const {
        const Elf64_Shdr* const table = section(".symtab");
        if (!table || table->sh_link >= sections_.size()) return;
        const std::string_view symbols = contents(*table);
        const std::string_view strings = contents(sections_[table->sh_link]);
        for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size();
             at += sizeof(Elf64_Sym)) {
            const auto symbol = object_at<Elf64_Sym>(symbols, at);
            if (symbol.st_shndx == SHN_UNDEF) continue;
            CodeSymbol entry{text_at(strings, symbol.st_name), symbol.st_value, symbol.st_size,
                             ELF64_ST_BIND(symbol.st_info) != STB_LOCAL};
            switch (ELF64_ST_TYPE(symbol.st_info)) {
                case STT_FUNC:
                    image.functions.push_back(std::move(entry));
                    break;
                case STT_OBJECT:
                    image.variables.push_back(std::move(entry));
                    break;
                case STT_TLS:
                    image.thread_local_variables.push_back(std::move(entry));
                    break;
                default:
                    break;
            }
        }
        for (auto* list : {&image.functions, &image.variables, &image.thread_local_variables})
            std::ranges::sort(*list, {}, &CodeSymbol::address);
    }

  private:
    std::string_view bytes_;
    Elf64_Ehdr header_;
    std::vector<Elf64_Shdr> sections_;
    std::string_view names_;
};

}  // namespace

CodeImage read_code_image(std::string_view file) {
    const ElfFile elf(file);
    CodeImage image;
    elf.read_segments(image);
    elf.read_symbols(image);
    if (const Elf64_Shdr* const section = elf.section(".camber_constant")) {
        image.constant_address = section->sh_addr;
        image.constant_bytes = section->sh_size;
    }
    if (const Elf64_Shdr* const section = elf.section(".debug_line"))
        image.lines = read_line_programs(elf.contents(*section));
    return image;
}

const CodeSymbol* symbol_at(const std::vector<CodeSymbol>& symbols, std::uint64_t address) {
    auto after = std::ranges::upper_bound(symbols, address, {}, &CodeSymbol::address);
    // Several may begin at one place, some without a size.
    while (after != symbols.begin()) {
        --after;
        if (address - after->address < after->size) return &*after;
        if (after->size > 0) break;
    }
    return nullptr;
}

const CodeLine* line_at(const std::vector<CodeLine>& lines, std::uint64_t address) {
    const auto after = std::ranges::upper_bound(lines, address, {}, &CodeLine::address);
    if (after == lines.begin()) return nullptr;
    const CodeLine& line = *std::prev(after);
    return line.line == 0 ? nullptr : &line;
}

}  // namespace camber
