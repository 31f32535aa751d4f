// Problem that kernels from files compute, a workload or the user's own reference, and the boards
// on which these kernels are checked.
#pragma once

#include <string>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/registry/execution.hpp"

namespace CLI {

// The problem that candidates compute: a workload, or, with --reference or a line
// `// camber: reference FILE`, one that a kernel and arrays of the user's own define.
class App;
}  // namespace CLI

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

// Boards on which kernels from files are checked for races.

// The largest board of at most `most_cells` that leaves the same remainders as `size` when divided
// by each of the regions, and is no larger than it: blocks that divide one divide the other. `size`
// itself if it is small enough; the smallest such board if none is.
Size board_like(Size size, const std::vector<Region>& regions, std::int64_t most_cells);

// The checks of run.candidates after a run on `verified`: on that board, or one like it that the
// executor can take, and, for files that say overhang=yes, on one that blocks do not divide, or do
// if they do not divide the first. Prints which boards these are, and what outputs hold before a
// launch.
std::vector<RunOptions> checks_after(const RunOptions& run, Size verified,
                                     const std::vector<Region>& regions);

// Sizes for `camber check` of run.candidates if none is given; empty: the usual ones.
std::string sizes_to_check(const RunOptions& run);

}  // namespace camber
