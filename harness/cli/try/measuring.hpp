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

// A measured study: every cell compared with the reference and, on a GPU, times.
struct MeasuredStudy {
    Study study;
    results::Document document;
};

// Measures the study of the options, and writes it to their results file if they name one.
MeasuredStudy measure_candidates(const RunOptions& run, const CommandLine& command_line);
void print_measured(const std::vector<MeasuredStudy>& all, const RunOptions& run);

// Returns why no candidate ran; "" if one did.
std::string why_nothing_ran(const MeasuredStudy& measured, const RunOptions& run);

// True if a kernel did not end in time; the check and the model would wait for it again.
bool has_timed_out(const results::Document& document);

// Why the executor cannot run a candidate; "" if it can.
std::string only_on_gpu(const RunOptions& run, const std::string& file);
// Removes candidates that the executor cannot run.
RunOptions on_executor(RunOptions run);

}  // namespace camber
