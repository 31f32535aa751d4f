// Access to the user's own kernels and techniques from code that starts without the compilers for
// them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/common/problem_options.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/record/conditions.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Registers the variants of every file in the options for a backend and returns their names; same
// errors as register_candidates() in harness/cli/candidate/candidates.hpp, which it calls. The
// program of a build tree loads that function from a library (harness/cli/loaded_commands.cpp):
// most runs have no such file, and the first table should not wait for its compilation.
std::vector<std::string> user_variants(const RunOptions& options, const Workload& workload,
                                       ElementType cell, Backend backend);

// Chooses the problem of `camber run` by the user's files: run_own_problem() in
// harness/cli/try/captured_run.hpp, loaded in the same way. Returns an exit code if nothing
// remains to be done.
std::optional<int> user_problem(const OwnProblemOptions& own, bool workload_given, RunOptions& run,
                                const std::vector<std::string>& engine_flags,
                                const std::vector<std::string>& command_line);

}  // namespace camber

// run_own_problem() under an unmangled name, for loading from a library.
extern "C" void camber_run_own_problem(const camber::OwnProblemOptions& own, bool workload_given,
                                       camber::RunOptions& run,
                                       const std::vector<std::string>& engine_flags,
                                       const std::vector<std::string>& command_line,
                                       std::optional<int>& exit_code);
