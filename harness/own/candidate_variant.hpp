// Variant made from the kernels in a user's own file, which is then measured like any built-in
// variant.
#pragma once

#include <filesystem>
#include <functional>

#include "harness/own/program.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

// Makes a variant of `workload` on `cell` cells from the file's kernels. They are compiled for the
// executor now, and for a GPU at the first launch on one. Throws the exceptions of
// CandidateProgram.
Variant candidate_variant(const std::filesystem::path& path, const Workload& workload,
                          ElementType cell, const CandidateOptions& options = {});

// Makes the variant of a candidate for one workload.
using CandidateMaker = std::function<Variant(const std::filesystem::path& path, ElementType cell,
                                             const CandidateOptions& options)>;
// Replaces candidate_variant() for a workload whose candidates have no `camber:` line of a kernel,
// such as a captured launch.
void set_candidate_maker(const Workload& workload, CandidateMaker maker);
bool has_candidate_maker(const Workload& workload);
bool has_any_candidate_maker();

}  // namespace camber
