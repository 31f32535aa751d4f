// `camber try --watch`: measures a kernel again whenever its file is saved.
#pragma once

#include <string>

#include "harness/cli/common/run_options.hpp"

namespace camber {

// Measures the only file of run.candidates now and after every change of it, until a signal ends
// it, and prints the change against the version before. What is wrong with a version is printed,
// and the next one waited for. `reference`: the kernel that defines the workload; "" where the
// program has it. The exit code is that of success. Throws Error(usage) for more than one file.
int run_watch(const RunOptions& run, const std::string& reference);

}  // namespace camber
