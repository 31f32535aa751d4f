#include "harness/own/host/host_library.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

// Source lines from the section ".debug_line", sorted by address: DWARF versions 2 to 4 (DWARF
// Debugging Information Format, Version 4, section 6.2). Throws std::runtime_error for other
// versions and damaged data.
// damaged.
std::vector<CodeLine> read_line_programs(std::string_view section);

namespace {

class Bytes {
  public:
    explicit Bytes(std::string_view bytes) : rest_(bytes) {}

    bool empty() const { return rest_.empty(); }
    template <class T>
    T number() {
        T value;
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
        return value;
    }
    std::uint64_t unsigned_leb() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = number<std::uint8_t>();
            if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
            if (!(byte & 0x80)) return value;
        }
    }
    std::int64_t signed_leb() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;;) {
            const auto byte = number<std::uint8_t>();
            if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
            shift += 7;
            if (byte & 0x80) continue;
            if (shift < 64 && byte & 0x40) value |= ~std::uint64_t{0} << shift;
            return static_cast<std::int64_t>(value);
        }
    }
    std::string text() {
        const std::size_t end = rest_.find('\0');
        if (end == rest_.npos) cut_off();
        std::string text(rest_.substr(0, end));
        rest_.remove_prefix(end + 1);
        return text;
    }
    std::string_view take(std::uint64_t size) {
        if (size > rest_.size()) cut_off();
        const std::string_view part = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return part;
    }

  private:
    [[noreturn]] static void cut_off() {
        throw std::runtime_error("the compiled file's line numbers are cut off");
    }

    std::string_view rest_;
};

// State-machine registers (section 6.2.2).
struct Row {
    std::uint64_t address = 0;
    std::uint64_t file = 1;
    std::uint32_t line = 1;
    std::uint32_t column = 0;
};

class LineProgram {
  public:
    // `rest` begins after the unit's length.
    explicit LineProgram(Bytes rest) {
        const auto version = rest.number<std::uint16_t>();
        if (version < 2 || version > 4)
            throw std::runtime_error("the compiled file's line numbers are of DWARF version " +
                                     std::to_string(version));
        Bytes header(rest.take(rest.number<std::uint32_t>()));
        instructions_ = rest;
        least_length_ = header.number<std::uint8_t>();
        if (version >= 4) header.number<std::uint8_t>();  // operations per instruction
        header.number<std::uint8_t>();                    // default of is_stmt
        line_base_ = header.number<std::int8_t>();
        line_range_ = header.number<std::uint8_t>();
        opcode_base_ = header.number<std::uint8_t>();
        if (line_range_ == 0 || opcode_base_ == 0)
            throw std::runtime_error("the compiled file's line numbers are damaged");
        for (int i = 1; i < opcode_base_; ++i) lengths_.push_back(header.number<std::uint8_t>());
        folders_.emplace_back();  // the compilation directory
        for (std::string folder = header.text(); !folder.empty(); folder = header.text())
            folders_.push_back(std::move(folder));
        files_.emplace_back();
        for (std::string name = header.text(); !name.empty(); name = header.text())
            add_file(std::move(name), header);
    }

    void run(std::vector<CodeLine>& lines) {
        while (!instructions_.empty()) {
            const auto opcode = instructions_.number<std::uint8_t>();
            if (opcode >= opcode_base_)
                special(opcode, lines);
            else if (opcode == 0)
                extended(lines);
            else
                standard(opcode, lines);
        }
    }

  private:
    void add_file(std::string name, Bytes& from) {
        const std::uint64_t folder = from.unsigned_leb();
        from.unsigned_leb();  // modification time
        from.unsigned_leb();  // length
        if (folder > 0 && folder < folders_.size() && !name.starts_with('/'))
            name = folders_[folder] + "/" + name;
        files_.push_back(std::move(name));
    }

    void append(std::vector<CodeLine>& lines, bool end = false) const {
        lines.push_back({row_.address, row_.file < files_.size() ? files_[row_.file] : "",
                         end ? 0 : row_.line, row_.column});
    }

    void special(std::uint8_t opcode, std::vector<CodeLine>& lines) {
        const int adjusted = opcode - opcode_base_;
        row_.address += std::uint64_t(adjusted / line_range_) * least_length_;
        row_.line += static_cast<std::uint32_t>(line_base_ + adjusted % line_range_);
        append(lines);
    }

    void extended(std::vector<CodeLine>& lines) {
        Bytes operands(instructions_.take(instructions_.unsigned_leb()));
        switch (operands.number<std::uint8_t>()) {
            case 1:  // DW_LNE_end_sequence
                append(lines, true);
                row_ = {};
                break;
            case 2:  // DW_LNE_set_address
                row_.address = operands.number<std::uint64_t>();
                break;
            case 3:  // DW_LNE_define_file
                add_file(operands.text(), operands);
                break;
            default:
                break;
        }
    }

    void standard(std::uint8_t opcode, std::vector<CodeLine>& lines) {
        switch (opcode) {
            case 1:  // DW_LNS_copy
                append(lines);
                break;
            case 2:  // DW_LNS_advance_pc
                row_.address += instructions_.unsigned_leb() * least_length_;
                break;
            case 3:  // DW_LNS_advance_line
                row_.line += static_cast<std::uint32_t>(instructions_.signed_leb());
                break;
            case 4:  // DW_LNS_set_file
                row_.file = instructions_.unsigned_leb();
                break;
            case 5:  // DW_LNS_set_column
                row_.column = static_cast<std::uint32_t>(instructions_.unsigned_leb());
                break;
            case 8:  // DW_LNS_const_add_pc
                row_.address += std::uint64_t((255 - opcode_base_) / line_range_) * least_length_;
                break;
            case 9:  // DW_LNS_fixed_advance_pc
                row_.address += instructions_.number<std::uint16_t>();
                break;
            default:
                for (int i = 0; i < lengths_[opcode - 1]; ++i) instructions_.unsigned_leb();
        }
    }

    Bytes instructions_{{}};
    std::uint64_t least_length_ = 1;  // minimum instruction length
    int line_base_ = 0;
    int line_range_ = 1;
    int opcode_base_ = 1;
    std::vector<std::uint8_t> lengths_;
    std::vector<std::string> folders_;
    std::vector<std::string> files_;
    Row row_;
};

}  // namespace

std::vector<CodeLine> read_line_programs(std::string_view section) {
    std::vector<CodeLine> lines;
    Bytes rest(section);
    while (!rest.empty()) {
        const auto length = rest.number<std::uint32_t>();
        if (length == 0xffffffffu)
            throw std::runtime_error("the compiled file's line numbers are of 64-bit DWARF");
        LineProgram(Bytes(rest.take(length))).run(lines);
    }
    // At equal addresses, the end of one sequence precedes the beginning of the next.
    std::ranges::stable_sort(lines, [](const CodeLine& a, const CodeLine& b) {
        return a.address != b.address ? a.address < b.address : int{a.line != 0} < int{b.line != 0};
    });
    return lines;
}

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
    // Several symbols may begin at one address, some with size 0.
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
