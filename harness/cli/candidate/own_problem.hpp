// The problem that candidates compute: a workload, or, with --reference or a line
// `// camber: reference FILE`, one that a kernel and arrays of the user's own define.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"

namespace CLI {
class App;
}

namespace camber {

struct Study;
struct Variant;

struct OwnProblemOptions {
    std::string reference;            // a kernel's file
    std::vector<std::string> inputs;  // .npy files, each as FILE or NAME=FILE, with commas between
    std::string fill = "random";
    double tolerance = -1;  // below 0: by the type of the cells
    std::string output;     // .npy file of the candidate's result

    // --reference, --input and --fill.
    void add_problem_to(CLI::App& command);
    // All options.
    void add_to(CLI::App& command);
};

// Chooses the problem of run.candidates: that of --reference, or of --workload if it is given, else
// what the files say, else the usual workload; with a reference it makes the workload, and `own`
// has it from then on. The board is that of the files or arrays if no other one is given. Throws
// Error(usage) for files that contradict each other, for what is wrong with them, and for options
// that mean nothing without a reference.
void choose_problem(OwnProblemOptions& own, bool workload_given, RunOptions& run);

// Runs the variant once, on the study's backend, and writes what it makes of the initial state.
void write_result(const Study& study, const Variant& variant, const std::string& path);

}  // namespace camber
