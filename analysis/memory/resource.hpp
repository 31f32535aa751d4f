// Device resources that a kernel may exhaust: parts of the memory system and pipes of the SMs.
#pragma once

#include <string_view>

namespace camber {

enum class Resource { dram, l2, l1, shared, issue, alu, fp32, fp64 };

std::string_view name(Resource resource);  // in words, e.g. "shared memory"
std::string_view key(Resource resource);   // in files, e.g. "shared"
// The first word of the name of what has this key, for narrow tables: "shared"; the key itself
// where nothing has it.
std::string_view short_name(std::string_view key);
// Unit of the resource's rate and ceiling: "bytes", "instructions" or "operations".
std::string_view unit(Resource resource);

}  // namespace camber
