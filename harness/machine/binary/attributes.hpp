// Attributes in the .nv.info sections of a cubin: registers, stack, parameters and block sizes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "harness/machine/binary/elf.hpp"

namespace camber::binary {

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
