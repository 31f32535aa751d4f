// Commands of the program in a build tree: `run`, and all others from a library that is loaded, as
// are the compilers of the user's own kernels.
#include "harness/base/files.hpp"
#include "harness/cli/candidate/candidates.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/problem_options.hpp"

namespace camber {

namespace {

// The camber script builds this library with the program.
template <class Function>
Function of_commands(const char* name) {
    const ProgramPart part{"camber-commands", "camber-commands.so",
                           "all commands but run, and the compilers of user files,"};
    return part_function<Function>(part, Symbols::of_its_own, name);
}

}  // namespace

void add_commands(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    if (command_line.size() > 1 && command_line[1] == "run")
        return add_run_command(app, chosen, command_line);
    of_commands<decltype(&camber_add_all_commands)>("camber_add_all_commands")(app, chosen,
                                                                               command_line);
}

std::vector<std::string> user_variants(const RunOptions& options, const Workload& workload,
                                       ElementType cell, Backend backend) {
    std::vector<std::string> names;
    // Options for a file are errors without one, with a sentence of register_candidates().
    if (!options.candidates.empty() || !options.sweeps.empty() || !options.settings.empty() ||
        !options.definitions.empty() || !options.include_folders.empty())
        of_commands<decltype(&camber_register_candidates)>("camber_register_candidates")(
            options, workload, cell, backend, names);
    return names;
}

std::optional<int> user_problem(const OwnProblemOptions& own, bool workload_given, RunOptions& run,
                                const std::vector<std::string>& engine_flags,
                                const std::vector<std::string>& command_line) {
    std::optional<int> exit_code;
    of_commands<decltype(&camber_run_own_problem)>("camber_run_own_problem")(
        own, workload_given, run, engine_flags, command_line, exit_code);
    return exit_code;
}

}  // namespace camber
