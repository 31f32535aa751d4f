// Output files of `camber run`, and results of an earlier run that is resumed.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/document.hpp"
#include "workloads/core/optional_interfaces.hpp"

namespace camber {

// Output files of `camber run`. All are checked for write access before anything is computed, and
// they contain partial results if the run ends early.

// True for all ranks except the one that writes files.
bool is_further_rank(const RunOptions& options);

// Checks all output files before anything is computed, and returns the results file.
std::unique_ptr<results::ResultsFile> checked_outputs(const RunOptions& options,
                                                      const std::vector<Study>& studies);

// Error of a run that one of the ranks ended, extended by the location of the stored results.
Error with_stored_results(const Error& error, results::ResultsFile& results);

// Saves the last state before the run failed, if --save requests it.
Error with_last_state(const BrokenRun& broken, const RunOptions& options);

// Results of an earlier run, for resuming it.

// Results in `path`; nullopt if the file does not exist. Throws Error(usage) if they were measured
// with another command line, except for options that do not change results (--resume, --budget,
// --out, --launcher) or that only select cases (--leave-out-hopeless and related options), or by
// another program or GPU than `now` states.
std::optional<results::Document> results_to_resume(const std::filesystem::path& path,
                                                   const CommandLine& command_line,
                                                   const results::Run& now);

// Same for this machine if --resume is given; otherwise nullopt. `device`: nullopt on the host.
std::optional<results::Document> earlier_results(const RunOptions& options,
                                                 const std::filesystem::path& path,
                                                 const CommandLine& command_line,
                                                 const std::optional<DeviceInfo>& device);

// Command line without the program's name and without these options.
CommandLine significant_words(const CommandLine& command_line);

}  // namespace camber
