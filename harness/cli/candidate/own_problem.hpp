// Problem that kernels from files compute (a workload or the user's own reference), and the boards
// on which these kernels are checked.
#pragma once

#include <string>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/cli/common/problem_options.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/registry/execution.hpp"

namespace camber {

struct Study;
struct Variant;

// Chooses the problem of run.candidates: --reference, or --workload if given, otherwise the problem
// that the files declare, otherwise the default workload. For a reference, creates the workload and
// stores it in `own`. Unless a board size is given, the files or arrays determine it. Throws
// Error(usage) for contradictory or invalid files, and for options that require a reference.
void choose_problem(OwnProblemOptions& own, bool workload_given, RunOptions& run);

// Throws Error(usage) if --workload is given and the options define another problem.
void refuse_two_problems(const OwnProblemOptions& own, bool workload_given, const RunOptions& run);

// Throws Error(usage) for options that do not apply to a captured launch, which own.reference names.
void refuse_kernel_options(const OwnProblemOptions& own);

// Reference that lines of run.candidates name; "" if there is none.
std::string reference_of_files(const RunOptions& run);

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
