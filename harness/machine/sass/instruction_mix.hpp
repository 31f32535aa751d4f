// Instruction mix of a kernel: its machine instructions by class, as listed by the disassembler.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "harness/record/case_record.hpp"

namespace camber {

using Mixes = std::map<std::string, results::Kernel>;  // by mangled name

// Returns `instructions`, `regions` and `basic_blocks` (see find_basic_blocks()) of every kernel in
// a listing of `cuobjdump -sass`; nothing of a kernel without instructions. Padding after a
// kernel's end (a branch to itself and NOPs) is not counted. Lines without instructions are
// ignored.
//
// Skippable instructions are those that a forward branch may skip and that neither access memory,
// synchronize with other threads nor end the kernel: access counts do not reveal if they are
// executed. In an if with an else, they are the first side. There are no regions if there is no
// loop, or if a jump has an address that is only known at run time; loops without accesses are the
// last regions. The schedule is that of the whole code, as if it had no loops, and absent if the
// listing has no encodings; so are basic blocks.
Mixes parse_listing(std::string_view listing);

}  // namespace camber
