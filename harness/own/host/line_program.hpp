// The table of a compiled file that says which line each address belongs to.
#pragma once

#include <string_view>
#include <vector>

#include "harness/own/host/code_image.hpp"

namespace camber {

// Of the section ".debug_line", by address: DWARF versions 2 to 4 (DWARF Debugging Information
// Format, Version 4, section 6.2). Throws std::runtime_error for another version, or where it is
// damaged.
std::vector<CodeLine> read_line_programs(std::string_view section);

}  // namespace camber
