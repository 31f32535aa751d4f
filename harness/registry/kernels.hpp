// The kernels of a workload, which a program may load when they are asked for.
//
// A complete program, as packages and tests have it, carries all of them (linked_kernels.cpp). The
// program of a build tree has a shared library for each folder of variants/, which the camber
// script builds when a run first asks for it (loaded_kernels.cpp).
#pragma once

#include <filesystem>
#include <string_view>

namespace camber {

// Sees to it that the registry has the variants of `workload`; nothing for an unknown name. Throws
// Error(unavailable) where they are neither built nor can be.
void load_kernels(std::string_view workload);

// Those of every workload.
void load_all_kernels();

// Whether the registry has them, or gets them without a compiler.
bool kernels_are_built(std::string_view workload);

// The folder that has the sources of kernels, variants/ and what they include. Throws
// Error(unavailable) where it is not there.
std::filesystem::path kernel_sources();

}  // namespace camber
