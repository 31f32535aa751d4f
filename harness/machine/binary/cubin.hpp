// Kernels in a cubin: their resources, and their machine code as counts and a hash.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/binary/bytes.hpp"
#include "harness/record/code_inspection.hpp"

namespace camber::binary {

// ELF machine number of cubins.
inline constexpr int cuda_machine = 190;

// Kernels and device functions of a cubin. `architecture` overrides the one in the file, which
// lacks the suffix of "sm_90a" in older toolkits; "" if it is unknown. Throws Error(usage) if the
// file is damaged.
std::vector<results::CompiledKernel> kernels_in_cubin(const Bytes& file,
                                                      std::string_view architecture);

}  // namespace camber::binary
