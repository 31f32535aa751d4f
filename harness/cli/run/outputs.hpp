// The files that `camber run` writes: all are there to be written before anything is computed for
// them, and what a run came to before it ended is in them.
#pragma once

#include <memory>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/results_file.hpp"
#include "workloads/core/broken_run.hpp"

namespace camber {

// Whether this is one of several ranks, and not the one that writes.
bool is_further_rank(const RunOptions& options);

// All output files, before anything is computed for them; gives the one of the results.
std::unique_ptr<results::ResultsFile> checked_outputs(const RunOptions& options,
                                                      const std::vector<Study>& studies);

// Of a run that one of the ranks ended.
Error with_what_is_kept(const Error& error, results::ResultsFile& results);

// Saves what the run came to before it broke, where --save asks for it.
Error with_last_state(const BrokenRun& broken, const RunOptions& options);

}  // namespace camber
