// Access to the user's own kernels and techniques from code that starts without the compilers for
// them.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/record/conditions.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Registers the variants of every file in the options for a backend and returns their names; same
// errors as register_candidates() in harness/cli/candidate/candidates.hpp, which it calls. The
// program of a build tree loads that function from a library (harness/cli/loaded_commands.cpp):
// most runs have no such file, and the first table should not wait for its compilation.
std::vector<std::string> user_variants(const RunOptions& options, const Workload& workload,
                                       ElementType cell, Backend backend);

}  // namespace camber
