// Facts about a kernel's source from which `camber:` lines are suggested: how it uses its parameters,
// how many dimensions it has, and its tile in shared memory. They are read without a compiler. The
// suggested lines, for boards and for named arrays, follow from them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/own/source/functions.hpp"

namespace camber {

// Use of a pointer's elements in a kernel.
enum class Use { none, read, written, both };

// Meaning of a number, by the name of its parameter.
enum class Meaning { columns, rows, depth, batch, pitch, count, other };
Meaning meaning_of(const FunctionParameter& parameter);

class KernelReading {
  public:
    // `code`: without comments. Both must outlive this object.
    KernelReading(const CodeFunction& kernel, std::string_view code);

    const CodeFunction& kernel() const { return kernel_; }
    std::string_view body() const { return body_; }
    bool uses_y() const;
    bool uses_z() const;
    // The number of blocks does not matter, because threads stride over the elements.
    bool is_strided() const;

    // "step<float, 16>", with values for template parameters.
    std::string instance() const;
    // "step(const float*, int)".
    std::string signature() const;

    Use use(const FunctionParameter& parameter) const;
    // All uses are atomic operations, so the array needs initial values.
    bool is_accumulated(const FunctionParameter& parameter) const;

    // Extents of a two-dimensional array in shared memory, rows first; nullopt if there is none.
    std::optional<std::pair<int, int>> tile() const;
    // Value of a number or of a macro for a number.
    std::optional<int> number_in(std::string_view text) const;
    // Threads of a one-dimensional block.
    int threads() const;
    // Element type of `extern __shared__ T name[]`; "" if there is none.
    std::string dynamic_shared_type() const;

  private:
    const CodeFunction& kernel_;
    std::string_view body_;
    std::map<std::string, std::string, std::less<>> macros_;
};

// Suggests the `camber:` lines that launch a kernel on named arrays with one to three dimensions:
// the line of the kernel, a line with shapes and, if the kernel reads indices, one with their values;
// empty if a parameter is neither a pointer, a number nor a texture. Shapes are examples. The meaning
// of parameters is guessed from their types, names and use. `code`: without comments.
std::vector<std::string> array_lines_for(const KernelReading& reading, std::string_view code);

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
