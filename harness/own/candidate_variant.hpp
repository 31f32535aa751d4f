// Variant made from the kernels in a user's own file, which is then measured like any built-in
// variant.
#pragma once

#include <filesystem>

#include "harness/own/program.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

// The file's kernels as a variant of `workload` on `cell` cells: compiled for the executor, and for
// a GPU when it is first launched on one. Throws as CandidateProgram does.
Variant candidate_variant(const std::filesystem::path& path, const Workload& workload,
                          ElementType cell, const CandidateOptions& options = {});

}  // namespace camber
