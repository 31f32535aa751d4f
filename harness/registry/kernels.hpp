// The kernels of a workload, which a program may load when they are asked for.
//
// A complete program, as packages and tests have it, carries all of them (linked_kernels.cpp). The
// program of a build tree has a shared library for each folder of variants/, which the camber
// script builds when a run first asks for it (loaded_kernels.cpp). A folder has the name of its
// workload. Kernels for one type of its cells may have a folder of their own, such as life_bits.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "harness/base/state.hpp"

namespace camber {

// Sees to it that the registry has the variants of `workload`, or those for one type of its cells;
// nothing for an unknown name. Throws Error(unavailable) where they are neither built nor can be.
void load_kernels(std::string_view workload, std::optional<ElementType> cell = {});

// Those that are only for other rules than the workload's usual one, in a folder such as
// life_rules_uint8; nothing where no kernels are.
void load_rule_kernels(std::string_view workload, ElementType cell);

// Those of every workload.
void load_all_kernels();

// Loads what needs no compiler; whether that is all of the workload's kernels.
bool load_built_kernels(std::string_view workload);

// The folder that has the sources of kernels, variants/ and what they include. Throws
// Error(unavailable) where it is not there.
std::filesystem::path kernel_sources();

}  // namespace camber
