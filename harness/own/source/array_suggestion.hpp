// Suggests `camber:` lines that launch a kernel on named arrays with one to three dimensions.
#pragma once

#include <string>
#include <vector>

#include "harness/own/source/kernel_reading.hpp"

namespace camber {

// The line of the kernel, a line with shapes and, if the kernel reads indices, one with their values;
// empty if a parameter is neither a pointer, a number nor a texture. Shapes are examples. The meaning
// of parameters is guessed from their types, names and use. `code`: without comments.
std::vector<std::string> array_lines_for(const KernelReading& reading, std::string_view code);

}  // namespace camber
