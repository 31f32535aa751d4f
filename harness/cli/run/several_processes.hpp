// Runs in several processes: the same measurement in fresh processes one after another, and ranks
// that compute one board together.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/groups/communicator.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/document.hpp"

namespace camber {

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
