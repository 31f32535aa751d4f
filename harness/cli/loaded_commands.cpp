// Commands of the program in a build tree: `run`, and all others from a library that is loaded.
#include "harness/base/program_files.hpp"
#include "harness/cli/commands.hpp"

namespace camber {

void add_commands(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    if (command_line.size() > 1 && command_line[1] == "run")
        return add_run_command(app, chosen, command_line);
    // The camber script builds this library with the program.
    const ProgramPart part{"camber-commands", "camber-commands.so", "all commands but run"};
    const auto add = part_function<decltype(&camber_add_all_commands)>(part, Symbols::of_its_own,
                                                                       "camber_add_all_commands");
    add(app, chosen, command_line);
}

}  // namespace camber
