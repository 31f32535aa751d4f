// The commands of the program. Each adds itself to the command line; main() runs the one chosen.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace camber {

// The whole command line as given, for the results file.
using CommandLine = std::vector<std::string>;

// Called after parsing; returns the exit code's value, throws Error.
using Action = std::function<int()>;

void add_campaign_command(CLI::App& app, Action& chosen, const CommandLine& command_line);
void add_ceilings_command(CLI::App& app, Action& chosen, const CommandLine& command_line);
void add_check_command(CLI::App& app, Action& chosen);
void add_compare_command(CLI::App& app, Action& chosen);
void add_completion_command(CLI::App& app, Action& chosen);
void add_counters_command(CLI::App& app, Action& chosen);
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
