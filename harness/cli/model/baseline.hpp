// The committed model of every variant, or of a user's own kernels, against which each change is
// compared.
#pragma once

#include <string>

#include "harness/cli/common/run_options.hpp"

namespace camber {

// Predicts every registered variant of every workload on small boards, one that the blocks divide
// and one that they do not, by the rules of sm_90, and writes the document: a file of `camber model
// --json` without call sites and bounds, one model per line with sorted keys, the same on every
// machine. Compare it with `camber compare`.
std::string model_baseline();

// The same of kernels of the user's own: of every point of run.candidates and run.sweeps, on the
// boards of the workload that its file names, or else of run.workload. Throws Error(usage) for a
// kernel that none of the boards suits.
std::string model_candidates(const RunOptions& run);

}  // namespace camber
