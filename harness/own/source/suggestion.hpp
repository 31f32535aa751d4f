// Suggests `camber:` lines for kernel files without any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/own/source/functions.hpp"

namespace camber {

// A kernel, and lines with which it could be launched.
struct Suggestion {
    std::string signature;    // "saxpy(float, const float*, float*, int)"
    std::string line;         // "// camber: saxpy(1.0, in, inout, columns*rows) block=256 ..."
    bool fits_board = true;   // else only `arrays` can launch it
    std::vector<std::string> arrays;  // lines for named arrays, see array_lines_for()
};

// One suggestion per kernel in the code. The meaning of arguments is guessed from their types and
// names and from their use in the kernel. `code`: without comments.
std::vector<Suggestion> suggestions_for(std::string_view code);

// Error message with suggestions, one line per kernel: "no `// camber:` line. Found `saxpy(...)`;
// try: `// camber: ...`".
std::string missing_line_sentence(const std::string& file, std::string_view code);

}  // namespace camber
