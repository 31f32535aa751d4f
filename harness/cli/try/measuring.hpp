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

// Compiler reports about candidates for a GPU.

// Prints registers, spills and shared memory of every candidate's kernels for the architecture
// `wanted`, such as "sm_90", or otherwise for the GPU that the options choose; prints nothing on
// the executor. Throws Error(usage) for an unknown architecture and for a file that does not
// compile, Error(unavailable) if there is no compiler.
void print_device_builds(const RunOptions& run, const std::string& wanted);

// Measurement of a study for `camber try`, with its table.

// Runs the study's cases. Throws Stopped if the process is to end before anything was measured.
void run_study(const Study& study, results::ResultsFile& results, const CommandLine& command_line);
// Runs the study's cases and prints their table.
void measure_study(const Study& study, const RunOptions& run, results::ResultsFile& results,
                   const CommandLine& command_line);

// Regions that the study's candidates give to their blocks.
std::vector<Region> regions_of_candidates(const Study& study);

bool all_passed(const results::Document& document);

}  // namespace camber
