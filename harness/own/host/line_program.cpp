#include "harness/own/host/line_program.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

namespace camber {

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

// The registers of the table's machine (section 6.2.2).
struct Row {
    std::uint64_t address = 0;
    std::uint64_t file = 1;
    std::uint32_t line = 1;
    std::uint32_t column = 0;
};

class LineProgram {
  public:
    // `rest` begins behind the unit's length.
    explicit LineProgram(Bytes rest) {
        const auto version = rest.number<std::uint16_t>();
        if (version < 2 || version > 4)
            throw std::runtime_error("the compiled file's line numbers are of DWARF version " +
                                     std::to_string(version));
        Bytes header(rest.take(rest.number<std::uint32_t>()));
        instructions_ = rest;
        least_length_ = header.number<std::uint8_t>();
        if (version >= 4) header.number<std::uint8_t>();  // operations per instruction
        header.number<std::uint8_t>();                    // whether rows are statements
        line_base_ = header.number<std::int8_t>();
        line_range_ = header.number<std::uint8_t>();
        opcode_base_ = header.number<std::uint8_t>();
        if (line_range_ == 0 || opcode_base_ == 0)
            throw std::runtime_error("the compiled file's line numbers are damaged");
        for (int i = 1; i < opcode_base_; ++i) lengths_.push_back(header.number<std::uint8_t>());
        folders_.emplace_back();  // the compiler's own
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
        from.unsigned_leb();  // time
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
    std::uint64_t least_length_ = 1;  // of the machine's instructions
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
    // What ends at an address comes before what begins there.
    std::ranges::stable_sort(lines, [](const CodeLine& a, const CodeLine& b) {
        return a.address != b.address ? a.address < b.address : int{a.line != 0} < int{b.line != 0};
    });
    return lines;
}

}  // namespace camber
