// Kernels in PTX, the text form of code for a class of architectures.
#pragma once

#include <string_view>
#include <vector>

#include "harness/machine/binary/bytes.hpp"
#include "harness/record/code_inspection.hpp"

namespace camber::binary {

// Returns true if the text is PTX: a ".version" after comments.
bool is_ptx(std::string_view text);

// The kernels (.entry) of PTX for the architecture in its .target line.
std::vector<results::CompiledKernel> kernels_in_ptx(const Bytes& file);

}  // namespace camber::binary
