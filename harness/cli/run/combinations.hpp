// Options of `camber run` that exclude each other.
#pragma once

#include "harness/cli/common/run_options.hpp"

namespace camber {

// Throws Error(usage) where a run that goes on, or that has a budget, cannot be what else it is
// asked to be. `repetitions`: of Google Benchmark.
void check_resumable(const RunOptions& options, int repetitions);

// The same of a run that draws timelines.
void check_traceable(const RunOptions& options);

}  // namespace camber
