// Entry points of `camber check` for other commands, and the estimate of its duration.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/measure/study.hpp"

namespace camber {

// `camber check` for commands that check as well.

// Checks the variants on the executor, on the usual boards where no size is given, and prints what
// is found; the exit code. Throws as the command does.
int run_check(const RunOptions& run);
// The same for several problems, with one summary.
int run_checks(const std::vector<RunOptions>& runs);

// What a check will cost, told before it begins.

// Seconds that checking all variants of the studies will take, from the first of them on a small
// board; 0 where that cannot be checked there.
double check_seconds(const std::vector<Study>& studies);

// The sentence that says so where it is more than ten seconds; "" otherwise.
std::string check_forecast(const std::vector<Study>& studies);

}  // namespace camber
