// `camber try --watch`: measures a kernel again whenever its file is saved.
#pragma once

#include "harness/cli/common/run_options.hpp"

namespace camber {

// Measures the only file of run.candidates now and after every change of it, until a signal ends
// it, and prints the change against the version before. What is wrong with a version is printed,
// and the next one waited for. The exit code is that of success.
int run_watch(const RunOptions& run);

}  // namespace camber
