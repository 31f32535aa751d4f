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

// `camber run --processes`: the part of the process that starts the others.

// Of all studies together.
std::int64_t cases_of(const std::vector<Study>& studies);

// Measures all studies in as many processes as were asked for, one after the other, gathers what
// they found, and prints it. Returns the exit code.
int run_processes(const RunOptions& options, const std::vector<Study>& studies,
                  const std::optional<DeviceInfo>& device, const CommandLine& command_line,
                  results::ResultsFile& results);

// A run in several processes that compute one board together.

// Throws Error(usage) where the options ask for what ranks do not do.
void check_ranks(const RunOptions& options);

// Calls `run` as one of the ranks that mpirun has started, all with the same command and build;
// only rank 0 prints. Returns its exit code. An Error of one rank is printed and ends all.
int run_as_rank(double patience, const CommandLine& command_line,
                const std::function<int(Communicator&)>& run);

}  // namespace camber
