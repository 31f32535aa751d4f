// Parts of `camber run`: output files, and results of an earlier run that is resumed; the selection for --leave-out-hopeless, which excludes variants whose predicted
// times show that they are dominated; the same measurement in fresh processes one after another; and ranks
// that compute one board together.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/groups/communicator.hpp"
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

// Throws Error(usage) for options that require --leave-out-hopeless, and for options whose times
// cannot be predicted.
void check_leave_out(const RunOptions& options);

// Marks the dominated variants in each study. Returns one line for each study: their number and the
// variant that they are compared with, or the reason why none is left out. Throws Error(usage) if
// the ceilings in a file are not sufficient to predict times, Stopped if the process is to end.
std::vector<std::string> leave_out(std::vector<Study>& studies, const RunOptions& options);

// "52 of 79 variants are left out".
std::string left_out_text(std::size_t left_out, std::size_t variants);

// Removes from an earlier run's results the variants that it left out and the studies do not, so
// that they are measured.
void take_back(results::Document& document, const std::vector<Study>& studies);

// Parent process of `camber run --processes`.

// Number of cases of all studies together.
std::int64_t cases_of(const std::vector<Study>& studies);

// Measures all studies in the requested number of processes, one after the other, and merges and
// prints the results. Returns the exit code.
int run_processes(const RunOptions& options, const std::vector<Study>& studies,
                  const std::optional<DeviceInfo>& device, const CommandLine& command_line,
                  results::ResultsFile& results);

// Run in several processes that compute one board together.

// Throws Error(usage) for options that ranks do not support.
void check_ranks(const RunOptions& options);

// Calls `run` as one of the ranks that mpirun has started, which must have the same command and
// build; only rank 0 prints. Returns the exit code of `run`. An Error of one rank is printed and
// ends all ranks.
int run_as_rank(double patience, const CommandLine& command_line,
                const std::function<int(Communicator&)>& run);

}  // namespace camber
