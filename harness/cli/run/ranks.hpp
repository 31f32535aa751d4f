// A run in several processes that compute one board together.
#pragma once

#include <functional>

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/groups/communicator.hpp"

namespace camber {

// Throws Error(usage) where the options ask for what ranks do not do.
void check_ranks(const RunOptions& options);

// Calls `run` as one of the ranks that mpirun has started, all with the same command and build;
// only rank 0 prints. Returns its exit code. An Error of one rank is printed and ends all.
int run_as_rank(double patience, const CommandLine& command_line,
                const std::function<int(Communicator&)>& run);

}  // namespace camber
