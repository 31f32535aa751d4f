// Scaling series over ranks; a launcher such as mpirun starts a run for each point.
#pragma once

#include "harness/cli/commands.hpp"
#include "harness/cli/scale/series_file.hpp"

namespace camber {

// Returns the exit code of the command.
int scale_over_ranks(ScaleOptions options, const CommandLine& command_line);

}  // namespace camber
