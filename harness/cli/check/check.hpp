// `camber check` for commands that check as well.
#pragma once

#include <vector>

#include "harness/cli/common/run_options.hpp"

namespace camber {

// Checks the variants on the executor, on the usual boards where no size is given, and prints what
// is found; the exit code. Throws as the command does.
int run_check(const RunOptions& run);
// The same for several problems, with one summary.
int run_checks(const std::vector<RunOptions>& runs);

}  // namespace camber
