// Entry points of `camber check` for other commands, and the estimate of its duration.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/measure/study.hpp"

namespace camber {

// Checks the problems' variants on the executor, on the default boards if no size is given, prints
// the findings and one summary, and returns the exit code. Throws the same errors as the command.
int run_checks(const std::vector<RunOptions>& runs);

// Estimated duration of a check.

// Estimated seconds to check all variants of the studies, derived from the first variant on a small
// board; 0 if that variant cannot be checked there.
double check_seconds(const std::vector<Study>& studies);

// Sentence with the estimate if it exceeds ten seconds; "" otherwise.
std::string check_forecast(const std::vector<Study>& studies);

}  // namespace camber
