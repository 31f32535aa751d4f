// Proposes camber: lines for a file that has none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/own/source/functions.hpp"

namespace camber {

// A kernel and the line that would launch it.
struct Suggestion {
    std::string signature;  // "saxpy(float, const float*, float*, int)"
    std::string line;       // "// camber: saxpy(1.0, in, inout, columns*rows) block=256 ..."
};

// One for each kernel that the text defines. What arguments mean is guessed by their types and
// names, and by what the kernel does with them. `code`: without comments.
std::vector<Suggestion> suggestions_for(std::string_view code);

// "no `// camber:` line. Found `saxpy(...)`; try: `// camber: ...`", a line for each kernel.
std::string missing_line_sentence(const std::string& file, std::string_view code);

}  // namespace camber
