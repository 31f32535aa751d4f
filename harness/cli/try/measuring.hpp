// Measurements of `camber try`, and the registers, spills and shared memory that a GPU's compiler
// reports for candidates.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/document.hpp"

namespace camber {

// What a GPU's compiler makes of candidates.

// Prints registers, spills and shared memory of every candidate's kernels for the architecture
// `wanted`, such as "sm_90", or else for the GPU that the options choose; nothing on the executor.
// Throws Error(usage) for an unknown architecture and where a file does not compile,
// Error(unavailable) where no compiler is there.
void print_device_builds(const RunOptions& run, const std::string& wanted);

// What the parts of `camber try` measure: a study into a document, with the table that tells of it.

// Runs the study's cases. Throws Stopped if nothing was measured before work was to end.
void run_study(const Study& study, results::ResultsFile& results, const CommandLine& command_line);
// The same, and prints their table.
void measure_study(const Study& study, const RunOptions& run, results::ResultsFile& results,
                   const CommandLine& command_line);

// Regions that the study's candidates give to their blocks.
std::vector<Region> regions_of_candidates(const Study& study);

bool all_passed(const results::Document& document);

}  // namespace camber
