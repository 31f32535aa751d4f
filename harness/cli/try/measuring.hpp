// What the parts of `camber try` measure: a study into a document, with the table that tells of it.
#pragma once

#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/results_file.hpp"

namespace camber {

// Runs the study's cases. Throws Stopped if nothing was measured before work was to end.
void run_study(const Study& study, results::ResultsFile& results, const CommandLine& command_line);
// The same, and prints their table.
void measure_study(const Study& study, const RunOptions& run, results::ResultsFile& results,
                   const CommandLine& command_line);

// Regions that the study's candidates give to their blocks.
std::vector<Region> regions_of_candidates(const Study& study);

bool all_passed(const results::Document& document);

}  // namespace camber
