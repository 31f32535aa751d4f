// Symbols and source lines of a compiled ELF file: addresses of functions and variables, and the
// source location of each instruction from DWARF line tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

struct CodeSymbol {
    std::string name;  // mangled
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    bool global = false;  // visible to other files
};

struct CodeLine {
    std::uint64_t address = 0;  // of the first byte of the line's code
    std::string file;
    std::uint32_t line = 0;  // 0: end of the preceding code
    std::uint32_t column = 0;
};

struct CodeImage {
    std::vector<CodeSymbol> functions;               // sorted by address
    std::vector<CodeSymbol> variables;               // sorted by address
    std::vector<CodeSymbol> thread_local_variables;  // sorted by offset in the thread-local block
    std::vector<CodeLine> lines;                     // sorted by address
    std::uint64_t thread_local_bytes = 0;
    // Section ".camber_constant"; 0 bytes if it does not exist.
    std::uint64_t constant_address = 0;
    std::uint64_t constant_bytes = 0;
    std::uint64_t end = 0;  // end of the loaded image
};

// Throws std::runtime_error if the file is no supported ELF file or is damaged.
CodeImage read_code_image(std::string_view file);

// Entry that contains an address, from a list sorted by address; nullptr if there is none.
const CodeSymbol* symbol_at(const std::vector<CodeSymbol>& symbols, std::uint64_t address);
const CodeLine* line_at(const std::vector<CodeLine>& lines, std::uint64_t address);

}  // namespace camber
