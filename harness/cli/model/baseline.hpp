// The committed model of every variant, or of a user's own kernels, that later changes are compared
// with.
#pragma once

#include <string>

#include "harness/cli/candidate/own_problem.hpp"
#include "harness/cli/common/run_options.hpp"

namespace camber {

// Predicts every registered variant of every workload on small boards, by the rules of sm_90: one
// board that the blocks divide and one that they do not. Returns a document as written by `camber
// model --json`, without call sites and bounds, with one model per line and sorted keys. The
// document is the same on every machine. Compare it with `camber compare`.
std::string model_baseline();

// Predicts the user's own kernels: every point of run.candidates and run.sweeps, for the workload
// or reference that its file declares, or otherwise that of `own` or run.workload. The boards are
// those of the workload, or the one that the file or run.size names. A kernel whose file does not
// declare overhang=yes may fail on a board that its blocks do not divide; it is then omitted for
// that board, with a message on standard error. Throws Error(usage) for a kernel that accepts none
// of the boards.
std::string model_candidates(const RunOptions& run, const OwnProblemOptions& own);

}  // namespace camber
