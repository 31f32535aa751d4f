// What the parts of `camber try` measure: a study into a document, with the table that tells of it.
#pragma once

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/results/results_file.hpp"
#include "harness/run/study.hpp"

namespace camber {

// Runs the study's cases and prints their table. Throws Stopped where nothing was measured before
// work was to end.
void measure_study(const Study& study, const RunOptions& run, results::ResultsFile& results,
                   const CommandLine& command_line);

// The options of the check on the executor, on the usual small boards.
RunOptions small_for_check(const RunOptions& run);

bool all_passed(const results::Document& document);

}  // namespace camber
