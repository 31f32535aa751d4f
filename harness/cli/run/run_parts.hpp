// Parts of `camber run`: the selection for --leave-out-hopeless, which excludes variants whose predicted
// times show that they are dominated; the same measurement in fresh processes one after another; and ranks
// that compute one board together.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/groups/communicator.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/document.hpp"

namespace camber {

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
