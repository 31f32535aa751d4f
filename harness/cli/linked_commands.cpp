// Commands of a complete program, which contains all of them; loaded_commands.cpp is the
// alternative.
#include "harness/cli/commands.hpp"

namespace camber {

void add_commands(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    add_all_commands(app, chosen, command_line);
}

}  // namespace camber
