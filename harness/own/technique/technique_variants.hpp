// Variants of a workload made from the techniques in a user's own file. The file is compiled with
// the workload's kernels from variants/ into a shared library and loaded.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/own/program.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

// Compiles the file for the executor and, if the options name a GPU, for that GPU, and loads the
// results until the program ends. Throws Error(usage) if the file is invalid, if a built-in
// technique has the same name, and for workloads whose variants are not generated from a list of
// techniques.
std::vector<Variant> technique_variants(const std::filesystem::path& path, const Workload& workload,
                                        ElementType cell, const CandidateOptions& options = {});

// Compiler report on the file's kernels for the workload, for the GPU in the options.
std::string technique_report(const std::filesystem::path& path, const Workload& workload,
                             ElementType cell, const CandidateOptions& options);

}  // namespace camber
