// Adds all commands to the command line, under a C++ name and under a name for loading from a
// library.
#include "harness/cli/commands.hpp"
#include "harness/measure/correctness/reference_variants.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

void add_all_commands(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    for (const auto& workload : workloads()) add_reference_variants(registry(), *workload);
    add_campaign_command(app, chosen, command_line);
    add_capture_command(app, chosen);
    add_cat_command(app, chosen);
    add_ceilings_command(app, chosen, command_line);
    add_check_command(app, chosen);
    add_compare_command(app, chosen);
    add_completion_command(app, chosen);
    add_counters_command(app, chosen);
    add_course_command(app, chosen);
    add_history_command(app, chosen);
    add_init_command(app, chosen);
    add_inspect_command(app, chosen);
    add_list_command(app, chosen);
    add_model_command(app, chosen, command_line);
    add_picture_command(app, chosen);
    add_profile_command(app, chosen, command_line);
    add_reproduce_command(app, chosen, command_line);
    add_report_command(app, chosen);
    add_run_command(app, chosen, command_line);
    add_scale_command(app, chosen, command_line);
    add_try_command(app, chosen, command_line);
}

}  // namespace camber

void camber_add_all_commands(CLI::App& app, camber::Action& chosen,
                             const camber::CommandLine& command_line) {
    camber::add_all_commands(app, chosen, command_line);
}
