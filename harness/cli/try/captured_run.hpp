// A captured launch as the problem of `camber run` and `camber profile`. On a GPU these commands replay
// it as `camber try` does; without a GPU, candidates run on the executor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/capture/try_capture.hpp"
#include "harness/cli/common/problem_options.hpp"
#include "harness/cli/common/run_options.hpp"

namespace camber {

// Sets own.reference to the reference that lines of the candidates name, unless the options define a
// problem. Throws Error(usage) for contradictions.
void choose_reference(OwnProblemOptions& own, bool workload_given, const RunOptions& run);

// Options of the replay for the command `command` ("run"). Throws Error(usage) for options that do
// not apply to a replay.
TryCaptureOptions replay_options(const OwnProblemOptions& own, const RunOptions& run,
                                 const std::string& command,
                                 const std::vector<std::string>& command_line);

// Chooses the problem of `camber run`: that of `own`, or the one that the candidates' lines name. If
// it is a captured launch and a GPU is to be used, replays it and returns the exit code. Otherwise
// changes `run` for the study. `engine_flags`: arguments that are no options of camber.
std::optional<int> run_own_problem(OwnProblemOptions own, bool workload_given, RunOptions& run,
                                   const std::vector<std::string>& engine_flags,
                                   const std::vector<std::string>& command_line);

}  // namespace camber
