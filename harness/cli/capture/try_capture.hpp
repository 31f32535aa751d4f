// Replay of a captured launch on a GPU, and candidates for it: `camber try FOLDER`, and `camber run`
// and `camber profile` with --reference FOLDER.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/capture/replay/candidate_build.hpp"
#include "harness/record/document.hpp"

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
    std::optional<std::uint64_t> launch;    // number of the only launch to replay; absent: all
    bool trim = false;  // only removes memory from the folder that the original does not use
};

// True if the driver has a GPU, on which captured launches are replayed.
bool has_capture_device();
// Throws Error(unavailable) because there is none: an old driver, or no GPU. `otherwise`: what else
// the user can do.
[[noreturn]] void refuse_replay(const std::string& otherwise);

// Prints the page; returns the exit code. Throws Error.
int try_capture(const TryCaptureOptions& options);

// Runs the candidates with source over the captured inputs on the executor, without a GPU, and prints
// their results. `seconds`: time limit of a block. Returns the exit code. Throws Error(unavailable) if
// no candidate has source, or if the launch changed nothing.
int verify_on_executor(const capture::Capture& capture,
                       std::vector<capture::CandidateOrder> candidates, double seconds);

// Results without a page.
struct CaptureResults {
    results::Document document;
    std::vector<std::string> remarks;  // such as the reason for missing counters
};

// Replays, verifies, times and counts. Throws Error, with code `unavailable` if there is no GPU.
CaptureResults measure_capture(const TryCaptureOptions& options);

}  // namespace camber
