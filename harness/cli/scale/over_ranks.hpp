// A scaling series over ranks, each point of it a run of its own that a launcher starts.
#pragma once

#include "harness/cli/commands.hpp"
#include "harness/cli/scale/scale_options.hpp"

namespace camber {

// Returns the exit code of the command.
int scale_over_ranks(ScaleOptions options, const CommandLine& command_line);

}  // namespace camber
