// `camber model` for commands that predict as well.
#pragma once

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"

namespace camber {

// Predicts the variants' transactions, on a board of 2048x2048 where no size is given, and prints a
// table, or one variant line by line; the exit code. Throws as the command does.
int run_model(const RunOptions& run, const CommandLine& command_line);

}  // namespace camber
