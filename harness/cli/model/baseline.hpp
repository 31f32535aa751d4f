// The committed model of every variant, or of a user's own kernels, against which each change is
// compared.
#pragma once

#include <string>

#include "harness/cli/candidate/own_problem.hpp"
#include "harness/cli/common/run_options.hpp"

namespace camber {

// Predicts every registered variant of every workload on small boards, one that the blocks divide
// and one that they do not, by the rules of sm_90, and writes the document: a file of `camber model
// --json` without call sites and bounds, one model per line with sorted keys, the same on every
// machine. Compare it with `camber compare`.
std::string model_baseline();

// The same of kernels of the user's own: of every point of run.candidates and run.sweeps, for the
// workload or reference that its file names, or else for that of `own` or run.workload. The boards
// are those of the workload, or the one that the file or run.size names. A kernel whose line does
// not say overhang=yes may fail on a board that its blocks do not divide; it is left out there, and
// said so on standard error. Throws Error(usage) for a kernel that none of the boards suits.
std::string model_candidates(const RunOptions& run, const OwnProblemOptions& own);

}  // namespace camber
