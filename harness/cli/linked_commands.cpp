// Commands of a complete program, which contains all of them; loaded_commands.cpp is the
// alternative.
#include "harness/cli/candidate/candidates.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/problem_options.hpp"

namespace camber {

void add_commands(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    add_all_commands(app, chosen, command_line);
}

std::vector<std::string> user_variants(const RunOptions& options, const Workload& workload,
                                       ElementType cell, Backend backend) {
    return register_candidates(options, workload, cell, backend);
}

std::optional<int> user_problem(const OwnProblemOptions& own, bool workload_given, RunOptions& run,
                                const std::vector<std::string>& engine_flags,
                                const std::vector<std::string>& command_line) {
    std::optional<int> exit_code;
    camber_run_own_problem(own, workload_given, run, engine_flags, command_line, exit_code);
    return exit_code;
}

}  // namespace camber
