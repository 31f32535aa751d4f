// What a GPU's compiler makes of candidates.
#pragma once

#include <string>

#include "harness/cli/common/run_options.hpp"

namespace camber {

// Prints registers, spills and shared memory of every candidate's kernels for the architecture
// `wanted`, such as "sm_90", or else for the GPU that the options choose; nothing on the executor.
// Throws Error(usage) for an unknown architecture and where a file does not compile,
// Error(unavailable) where no compiler is there.
void print_device_builds(const RunOptions& run, const std::string& wanted);

}  // namespace camber
