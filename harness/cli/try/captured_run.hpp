// A captured launch as the problem of `camber try FOLDER`, `camber run` and `camber profile`. On a GPU
// these commands replay it; without a GPU, candidates with source run on the executor, and `camber try`
// also checks them for races and predicts their memory traffic.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/capture/try_capture.hpp"
#include "harness/cli/commands.hpp"
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

// Options of `camber try FOLDER`.
struct TryFolder {
    std::vector<std::string> files;       // the folder, then candidates
    std::vector<std::string> candidates;  // further candidates
    RunOptions run;
    double tolerance = -1;  // relative, of floating-point outputs; below 0: none
    std::string ceilings;   // card or file; "": the card of the GPU's name
    bool watch = false;
    bool memcheck = false;
    bool trim = false;
};

// Returns the exit code. Throws Error.
int try_folder(const TryFolder& options, const CommandLine& command_line);

}  // namespace camber
