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
    bool global = false;  // known to other files
};

struct CodeLine {
    std::uint64_t address = 0;  // of the first byte
    std::string file;
    std::uint32_t line = 0;  // 0: the code before ends here
    std::uint32_t column = 0;
};

struct CodeImage {
    std::vector<CodeSymbol> functions;               // by address
    std::vector<CodeSymbol> variables;               // by address
    std::vector<CodeSymbol> thread_local_variables;  // by place in a thread's copy
    std::vector<CodeLine> lines;                     // by address
    std::uint64_t thread_local_bytes = 0;
    // Of the section ".camber_constant"; 0 bytes: there is none.
    std::uint64_t constant_address = 0;
    std::uint64_t constant_bytes = 0;
    std::uint64_t end = 0;  // of all that is loaded
};

// Throws std::runtime_error where the file is not of that kind, or damaged.
CodeImage read_code_image(std::string_view file);

// The entry that an address lies in, of a list by address; nullptr: in none.
const CodeSymbol* symbol_at(const std::vector<CodeSymbol>& symbols, std::uint64_t address);
const CodeLine* line_at(const std::vector<CodeLine>& lines, std::uint64_t address);

}  // namespace camber
