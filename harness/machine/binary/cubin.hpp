// Kernels in a cubin: their resources (registers, stack, parameters, block sizes), and their machine
// code as counts and a hash.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/binary/bytes.hpp"
#include "harness/machine/binary/elf.hpp"
#include "harness/record/code_inspection.hpp"

namespace camber::binary {

// ELF machine number of cubins.
inline constexpr int cuda_machine = 190;

// Kernels and device functions of a cubin. `architecture` overrides the one in the file, which
// lacks the suffix of "sm_90a" in older toolkits; "" if it is unknown. Throws Error(usage) if the
// file is damaged.
std::vector<results::CompiledKernel> kernels_in_cubin(const Bytes& file,
                                                      std::string_view architecture);

// ---- attributes in the .nv.info sections

// Attributes of all functions, in .nv.info, by symbol number.
struct ModuleAttributes {
    std::map<std::uint32_t, std::int64_t> registers, frame_bytes, stack_bytes;
};

// Attributes of one function, in .nv.info.NAME.
struct FunctionAttributes {
    std::optional<std::array<int, 3>> max_block, required_block;
    std::optional<std::int64_t> parameter_bytes;
    std::optional<int> barriers;
};

// Read up to the first attribute of an unknown format, because only the format tells its size.
// Throws Error(usage) if an attribute is cut off.
ModuleAttributes module_attributes(const ElfSection& section);
FunctionAttributes function_attributes(const ElfSection& section);

// True if .nv.compat says that the code is for this architecture alone, such as sm_90a.
bool is_architecture_specific(const ElfSection& compatibility);

}  // namespace camber::binary
