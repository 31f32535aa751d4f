// `camber check` for commands that check as well.
#pragma once

#include "harness/cli/common/run_options.hpp"

namespace camber {

// Checks the variants on the executor, on the usual boards where no size is given, and prints what
// is found; the exit code. Throws as the command does.
int run_check(const RunOptions& run);

}  // namespace camber
