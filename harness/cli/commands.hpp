// The commands of the program. Each adds itself to the command line, and run_program() runs the
// chosen one.
//
// A complete program, as used for packages and tests, contains all commands (linked_commands.cpp).
// The program of a build tree contains `run` and loads the others from a library
// (loaded_commands.cpp), so that the first results do not wait for their compilation.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace camber {

// Whole command line as given, for the results file.
using CommandLine = std::vector<std::string>;

// Called after parsing; returns the exit code's value, throws Error.
using Action = std::function<int()>;

// Runs the command that the arguments of main() name, and reports errors; returns the exit code.
int run_program(int argc, char** argv);

// Adds the commands that the command line may refer to: only `run` if it is that command, otherwise
// all. Throws Error(unavailable) if they cannot be loaded.
void add_commands(CLI::App& app, Action& chosen, const CommandLine& command_line);
void add_all_commands(CLI::App& app, Action& chosen, const CommandLine& command_line);

void add_campaign_command(CLI::App& app, Action& chosen, const CommandLine& command_line);
void add_capture_command(CLI::App& app, Action& chosen);
void add_cat_command(CLI::App& app, Action& chosen);
void add_ceilings_command(CLI::App& app, Action& chosen, const CommandLine& command_line);
void add_check_command(CLI::App& app, Action& chosen);
void add_compare_command(CLI::App& app, Action& chosen);
void add_completion_command(CLI::App& app, Action& chosen);
void add_counters_command(CLI::App& app, Action& chosen);
void add_course_command(CLI::App& app, Action& chosen);
void add_history_command(CLI::App& app, Action& chosen);
void add_init_command(CLI::App& app, Action& chosen);
void add_inspect_command(CLI::App& app, Action& chosen);
void add_list_command(CLI::App& app, Action& chosen);
void add_model_command(CLI::App& app, Action& chosen, const CommandLine& command_line);
void add_picture_command(CLI::App& app, Action& chosen);
void add_profile_command(CLI::App& app, Action& chosen, const CommandLine& command_line);
void add_reproduce_command(CLI::App& app, Action& chosen, const CommandLine& command_line);
void add_report_command(CLI::App& app, Action& chosen);
void add_run_command(CLI::App& app, Action& chosen, const CommandLine& command_line);
void add_scale_command(CLI::App& app, Action& chosen, const CommandLine& command_line);
void add_try_command(CLI::App& app, Action& chosen, const CommandLine& command_line);

}  // namespace camber

// add_all_commands() under an unmangled name, for loading from a library.
extern "C" void camber_add_all_commands(CLI::App& app, camber::Action& chosen,
                                        const camber::CommandLine& command_line);
