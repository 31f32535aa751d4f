// Problem that kernels from files compute (a workload or the user's own reference), and the boards
// on which these kernels are checked.
#pragma once

#include <string>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/registry/execution.hpp"

namespace CLI {

// Problem that candidates compute: a workload or, with --reference or a line `// camber: reference
// FILE`, a problem that the user's own kernel and arrays define.
class App;
}  // namespace CLI

namespace camber {

struct Study;
struct Variant;

struct OwnProblemOptions {
    std::string reference;            // file with a kernel
    std::vector<std::string> inputs;  // .npy files, each as FILE or NAME=FILE, separated by commas
    std::string fill = "random";
    double tolerance = -1;  // below 0: determined by the cell type
    std::string output;     // .npy file for the candidate's result
    // For problems of named arrays, each as NAME=TEXT.
    std::vector<std::string> shapes;
    std::vector<std::string> scalars;
    std::vector<std::string> expected;  // .npy files with the correct results
    std::vector<std::string> rules;     // comparison rules

    // Adds --reference, --input, --fill, --shape and --scalar.
    void add_problem_to(CLI::App& command);
    // Adds all options.
    void add_to(CLI::App& command);
};

// Chooses the problem of run.candidates: --reference, or --workload if given, otherwise the problem
// that the files declare, otherwise the default workload. For a reference, creates the workload and
// stores it in `own`. Unless a board size is given, the files or arrays determine it. Throws
// Error(usage) for contradictory or invalid files, and for options that require a reference.
void choose_problem(OwnProblemOptions& own, bool workload_given, RunOptions& run);

// Runs the variant once on the study's backend and writes its result for the initial state.
void write_result(const Study& study, const Variant& variant, const std::string& path);

// Boards on which kernels from files are checked for races.

// Returns the largest board of at most `most_cells` cells, and not larger than `size`, that has the
// same remainders as `size` modulo each of the regions, so that blocks divide either both boards or
// neither. Returns `size` itself if it is small enough, and the smallest such board if all are too
// large.
Size board_like(Size size, const std::vector<Region>& regions, std::int64_t most_cells);

// Checks of run.candidates after a run on board `verified`. They use that board, or a similar one
// that is small enough for the executor. Files that declare overhang=yes are also checked on a
// second board: one that blocks do not divide, or one that they divide if they do not divide the
// first. Prints the boards, and the contents of outputs before a launch.
std::vector<RunOptions> checks_after(const RunOptions& run, Size verified,
                                     const std::vector<Region>& regions);

// Board sizes for `camber check` of run.candidates if none is given; empty: the default sizes.
std::string sizes_to_check(const RunOptions& run);

}  // namespace camber
