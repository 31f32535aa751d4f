// Options that define a problem by the user's own files: a reference kernel or a captured launch,
// arrays, correct results and how they are compared. Also access to the user's own kernels and techniques
// from code that starts without the compilers for them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/record/conditions.hpp"
#include "workloads/core/workload.hpp"

namespace CLI {
class App;
}

namespace camber {

struct OwnProblemOptions {
    std::string reference;            // file with a kernel, or folder of a captured launch
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
    // Adds all options but --input, which such a command has already, and --out-npy. Most are rare
    // ones of the problem's group.
    void add_rare_to(CLI::App& command);

    // True if an option is given.
    bool is_given() const;

  private:
    void add_reference_to(CLI::App& command);
    void add_arrays_to(CLI::App& command);
    void add_comparison_to(CLI::App& command);
};

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
