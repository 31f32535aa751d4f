// Kernels of a workload, which a program may load on demand.
//
// A complete program, such as a package or a test, contains all of them (linked_kernels.cpp). The
// program of a build tree has a shared library for each folder of variants/; the camber script
// builds a library when a run first needs it (loaded_kernels.cpp). A folder has the name of its
// workload. Kernels for one cell type may have a folder of their own, such as life_bits.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "harness/base/state.hpp"

namespace camber {

// Makes sure that the registry contains the variants of `workload`, or those for one cell type;
// does nothing for an unknown name. Throws Error(unavailable) if the variants are not built and
// cannot be.
void load_kernels(std::string_view workload, std::optional<ElementType> cell = {});

// Loads the variants for all rules but the workload's usual one, from a folder such as
// life_rules_uint8; does nothing if there are none.
void load_rule_kernels(std::string_view workload, ElementType cell);

// Loads the variants of every workload.
void load_all_kernels();

// Loads the kernels that need no compilation; returns true if they are all of the workload's
// kernels.
bool load_built_kernels(std::string_view workload);

// Folder with the sources of kernels: variants/ and the files that they include. Throws
// Error(unavailable) if it does not exist.
std::filesystem::path kernel_sources();

}  // namespace camber
