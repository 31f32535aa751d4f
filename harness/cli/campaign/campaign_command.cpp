// Command `camber campaign`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "harness/base/error.hpp"
#include "harness/cli/campaign/campaign.hpp"
#include "harness/cli/campaign/folder.hpp"
#include "harness/cli/campaign/pages.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/option_values.hpp"

namespace camber {

namespace {

// Writes the pages of an existing folder with this program; needs no GPU.
int make_pages(const std::string& out) {
    const CampaignFolder folder(out, CampaignFolder::Use::look);
    if (!folder.before())
        throw Error(ExitCode::usage,
                    fmt::format("{} has no campaign.json that can be read: give the folder of a "
                                "campaign",
                                out));
    write_campaign_pages(folder.path(), *folder.before(), true);
    fmt::print("{}: README.md links all\n", out);
    return static_cast<int>(ExitCode::success);
}

int summarize(const CampaignOptions& options) {
    const int files = write_campaign_summary(options.out, options.summary);
    fmt::print("{}: {} results files, without the times and machine code of single kernels\n",
               options.summary, files);
    return static_cast<int>(ExitCode::success);
}

int run(const CampaignOptions& options, const CommandLine& command_line) {
    // Checks the options before a folder is created. An existing folder may belong to a campaign
    // with more GPUs, so it is checked later.
    if (!options.resume || !std::filesystem::exists(options.out)) {
        CampaignSettings most;
        if (options.gpus) most.most_gpus = *options.gpus;
        chosen_parts(campaign_parts(most), options.only);
        check_machine(options);
    }
    Campaign campaign(options, command_line);
    campaign.ask_what_is_left_out();
    fmt::print("{}", campaign.plan());
    std::fflush(stdout);
    if (options.list) return static_cast<int>(ExitCode::success);
    return campaign.run();
}

}  // namespace

void add_campaign_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command = app.add_subcommand(
        "campaign", "Measure everything that tables and questions need, into a folder");
    auto options = std::make_shared<CampaignOptions>();
    command->add_option("--out", options->out, "Folder for results and pages")->check(is_file_name);
    command
        ->add_option("--only", options->only,
                     "Parts, what their names begin with, or workloads, separated by commas "
                     "(default: all)")
        ->delimiter(',')
        ->check(not_empty);
    CLI::Option* const budget =
        command
            ->add_option(
                "--budget", options->budget,
                "End after this time, as 90s, 20m or 1h; what is worth most comes first, and "
                "variants whose predicted times are hopeless are left out")
            ->check(is_duration);
    CLI::Option* const resume =
        command->add_flag("--resume", options->resume,
                          "Go on with the campaign of the folder: same commit and same card");
    CLI::Option* const list = command->add_flag("--list,--dry-run", options->list,
                                                "Print what would be measured, and end");
    CLI::Option* const pages = command->add_flag(
        "--pages", options->pages, "Make the pages of the folder's results again, and end");
    CLI::Option* const summary =
        command
            ->add_option("--summary", options->summary,
                         "Write the folder's results files to this folder in less than half "
                         "the size, for tables and questions, and end")
            ->type_name("FOLDER")
            ->check(is_file_name);
    for (CLI::Option* const other : {list, resume, budget}) {
        pages->excludes(other);
        summary->excludes(other);
    }
    pages->excludes(summary);
    command
        ->add_option("--backend", options->backend,
                     "cuda measures a GPU; simt verifies all kernels on the CPU; cpu times the "
                     "plain references; auto takes cuda")
        ->capture_default_str()
        ->check(CLI::IsMember({"auto", "cuda", "simt", "cpu"}));
    command
        ->add_option("--gpus", options->gpus,
                     "Measure parts over several GPUs on 2, 3 and so on up to so many; 1: on one "
                     "alone (default: 2)")
        ->check(CLI::Range(1, 1024));
    command
        ->add_option("--at-once", options->at_once,
                     "Measure so many parts at once, each on a GPU of its own and an equal share "
                     "of the CPU's cores; the GPUs are of one kind (default: 1)")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--quick", options->quick, "Smaller boards, fewer samples");
    for (const auto& [name, what] : campaign_data())
        command->add_option(name, options->data[name], what)->check(CLI::ExistingPath);
    command->footer(
        "A part that crashes or hangs does not end the others. A campaign may be stopped at any\n"
        "time; --resume goes on, with another budget too, or without one: then what was left out\n"
        "for the budget is measured as well. The folder's README.md has every part's own command.\n"
        "\n"
        "Examples:\n"
        "  camber campaign --out my-gpu                             everything\n"
        "  camber campaign --out my-gpu --budget 10m                what is worth most\n"
        "  camber campaign --out my-gpu --budget 10m --resume       ten minutes more\n"
        "  camber campaign --only life,blur --list                  what that would be\n"
        "  camber campaign --out verified --backend simt --quick    without a GPU");
    command->callback([&chosen, options, &command_line] {
        if (options->out.empty() && !options->list)
            throw Error(ExitCode::usage,
                        "a campaign needs a folder to go to: give --out FOLDER, or see by --list "
                        "what it would measure");
        chosen = [options, &command_line] {
            if (!options->summary.empty()) return summarize(*options);
            return options->pages ? make_pages(options->out) : run(*options, command_line);
        };
    });
}

}  // namespace camber
