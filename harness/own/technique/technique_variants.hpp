// Variants of a workload made from the techniques in a user's own file. The file is compiled with
// the workload's kernels from variants/ into a shared library and loaded.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/own/program.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

// Compiles the file for the executor and, where the options name a GPU, for that one, and loads
// what comes out for the rest of the program. Throws Error(usage) for what is wrong with the file,
// for a name that a technique of camber's has, and for workloads whose variants no list of
// techniques makes.
std::vector<Variant> technique_variants(const std::filesystem::path& path, const Workload& workload,
                                        ElementType cell, const CandidateOptions& options = {});

// What a compiler for that GPU says of the file's kernels for the workload.
std::string technique_report(const std::filesystem::path& path, const Workload& workload,
                             ElementType cell, const CandidateOptions& options);

}  // namespace camber
