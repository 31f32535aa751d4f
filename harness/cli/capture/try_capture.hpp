// `camber try FOLDER`: replay of a captured launch, and candidates for it.
#pragma once

#include <string>
#include <vector>

namespace camber {

struct TryCaptureOptions {
    std::string folder;
    std::vector<std::string> candidates;   // .cu or .cubin
    std::vector<std::string> sweeps;       // NAME=VALUE[,VALUE...]
    std::vector<std::string> settings;     // NAME=VALUE
    std::vector<std::string> definitions;  // NAME[=VALUE]
    std::vector<std::string> include_folders;
    double tolerance = -1;  // relative, of floating-point outputs; below 0: none
    std::string cell;       // type of outputs that the kernel's name does not tell
    double timeout = 20;    // s
    int device = 0;
    int rounds = 0;  // 0: the usual number
    bool watch = false;
    bool memcheck = false;                  // under compute-sanitizer
    std::string counters;                   // sets and metrics; "": none
    std::string ceilings;                   // card or file; "": the card of the GPU's name
    std::string out;                        // results file; "": none
    std::vector<std::string> command_line;  // for the results file
};

// True if the driver has a GPU, on which captured launches are replayed.
bool has_capture_device();

// Prints the page; returns the exit code. Throws Error.
int try_capture(const TryCaptureOptions& options);

}  // namespace camber
