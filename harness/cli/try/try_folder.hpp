// `camber try FOLDER`: a captured launch is replayed on a GPU; without a GPU, candidates with source run
// on the executor, are checked for races, and their memory traffic is predicted.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"

namespace camber {

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
