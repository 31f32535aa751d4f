// Kernels of the user's own, as typed: files.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/registry/registry.hpp"
#include "workloads/workload.hpp"

namespace camber {

// Sees to it that the registry has a variant for every file of options.candidates, for a backend;
// their names. Throws Error(usage) for what is wrong with a file, for two files of one name, and
// for a backend without kernels.
std::vector<std::string> register_candidates(const RunOptions& options, const Workload& workload,
                                             ElementType cell, Backend backend);

// The same for the workload and the cells that the options name, compiled for the executor alone
// until a study is made of them; with the kernels of the workload.
std::vector<std::string> candidate_names(const RunOptions& options);

}  // namespace camber
