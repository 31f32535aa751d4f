// `camber try --sweep`: every combination of a kernel's settings, and the best of them.
#pragma once

#include <string>

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"

namespace camber {

// Where a search's results go that --out sends nowhere else.
constexpr const char* default_search_results = "camber-sweep.json";

// Builds every candidate with every combination of run.sweeps, leaves out those that the limits of
// a device show to be hopeless, compares every cell of the others with the reference, times them on
// a GPU, and prints the best with its interval. `ceilings`: the file of a device's limits; "":
// those of the GPU in use, if there is one. Throws Error as the commands do; the exit code.
int run_search(const RunOptions& run, const std::string& ceilings, const CommandLine& command_line);

}  // namespace camber
