#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/backend/devices.hpp"
#include "harness/base/error.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/cli/campaign/expected.hpp"
#include "harness/cli/campaign/folder.hpp"
#include "harness/cli/campaign/pages.hpp"
#include "harness/cli/campaign/part_process.hpp"
#include "harness/cli/campaign/parts.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/checks.hpp"
#include "harness/cli/common/duration.hpp"
#include "harness/cli/common/progress.hpp"
#include "harness/cli/common/text_table.hpp"
#include "harness/environment/host.hpp"
#include "harness/registry/kernels.hpp"
#include "harness/results/origin.hpp"
#include "harness/run/context.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

using results::CampaignPart;
using results::PartStatus;

struct Options {
    std::string out;
    std::vector<std::string> only;
    std::string budget;  // "": none
    std::string backend = "auto";
    std::optional<int> gpus;
    bool quick = false;
    bool resume = false;
    bool list = false;
    std::map<std::string, std::string> data;  // by the option
};

// A GPU unless the options say otherwise: without one nothing would be timed.
std::string chosen_backend(const std::string& backend) {
    if (backend != "auto") return backend;
    if (!cuda_devices().empty()) return "cuda";
    throw Error(
        ExitCode::unavailable,
        fmt::format("a campaign measures a GPU, and {}; --backend simt verifies all kernels "
                    "on the CPU and times nothing",
                    why_no_cuda()));
}

// The GPU that is measured; none on other backends.
std::optional<DeviceInfo> device_for(const std::string& backend) {
    if (backend != "cuda") return std::nullopt;
    const auto devices = cuda_devices();
    if (devices.empty())
        throw Error(ExitCode::unavailable,
                    fmt::format("this campaign needs a GPU: {}", why_no_cuda()));
    return devices.front();
}

// As the options say; what they leave open, as the campaign began.
CampaignSettings settings_of(const Options& options,
                             const std::optional<results::Document>& before) {
    CampaignSettings settings;
    settings.quick = options.quick;
    settings.budgeted = !options.budget.empty();
    settings.gpus = static_cast<int>(cuda_devices().size());
    if (options.gpus) settings.most_gpus = *options.gpus;
    for (const auto& [name, folder] : options.data)
        if (!folder.empty()) settings.data[name] = std::filesystem::absolute(folder).string();
    if (!before) {
        settings.backend = chosen_backend(options.backend);
        return settings;
    }
    const results::Campaign& began = *before->campaign;
    settings.backend = options.backend == "auto" ? began.backend : chosen_backend(options.backend);
    settings.quick = settings.quick || began.quick;
    if (!options.gpus) settings.most_gpus = began.most_gpus.value_or(settings.most_gpus);
    for (const auto& [name, folder] : began.data) settings.data.try_emplace(name, folder);
    return settings;
}

auto& record_in(auto& campaign, const Part& part) {
    return *std::ranges::find(campaign.parts, part.name, &CampaignPart::name);
}

// A campaign at work: what is to be done, and how far it has come.
class Campaign {
  public:
    explicit Campaign(const Options& options, const CommandLine& command_line);

    // What the parts to come leave out, which is then in the plan.
    void ask_what_is_left_out();
    std::string plan() const;
    int run();

  private:
    CampaignPart& record_of(const Part& part) { return record_in(record_, part); }
    const CampaignPart& record_of(const Part& part) const { return record_in(record_, part); }
    bool to_do(const Part& part) const;
    // Seconds that the budget leaves for measuring; nothing without a budget.
    std::optional<double> left() const;
    void measure(const Part& part, Progress& progress);
    void store(bool all_pages);
    int conclude() const;

    const Options& options_;
    CampaignFolder folder_;
    CampaignSettings settings_;
    std::vector<Part> all_;
    std::vector<Part> chosen_;  // of them, by --only
    results::Context context_;
    results::Campaign record_;
    double seconds_before_ = 0;
    std::optional<ExpectedTimes> expected_;
    std::vector<std::string> left_out_;  // "9 of 79 in life", of parts that leave out variants
};

// Of the budget, for pages at the end.
double reserve(double budget) {
    return std::min(30.0, budget / 10);
}

Campaign::Campaign(const Options& options, const CommandLine& command_line)
    : options_(options),
      folder_(options.out, options.list     ? CampaignFolder::Use::look
                           : options.resume ? CampaignFolder::Use::go_on
                                            : CampaignFolder::Use::begin),
      settings_(settings_of(options, folder_.before())),
      all_(campaign_parts(settings_)),
      chosen_(chosen_parts(all_, options.only)) {
    const std::optional<DeviceInfo> device = device_for(settings_.backend);
    CommandLine command = command_line;
    command.front() = "camber";  // wherever it lies
    context_ = run_context(command, device ? &*device : nullptr, {});
    const auto results = folder_.results(*context_.run, all_);
    if (const auto& before = folder_.before()) {
        context_ = before->context;
        seconds_before_ = before->campaign->seconds;
    }
    record_.backend = settings_.backend;
    record_.quick = settings_.quick;
    if (settings_.most_gpus != CampaignSettings().most_gpus)
        record_.most_gpus = settings_.most_gpus;
    record_.data = settings_.data;
    for (const Part& part : all_) record_.parts.push_back(folder_.state(part, results));
    expected_.emplace(measured_campaigns(), settings_, device ? device->name : "");
}

bool Campaign::to_do(const Part& part) const {
    const PartStatus status = record_of(part).status;
    return status != PartStatus::whole && status != PartStatus::left_out;
}

std::optional<double> Campaign::left() const {
    const auto budget = parse_duration(options_.budget);
    if (!budget) return std::nullopt;
    return *budget - reserve(*budget) - process_age_seconds();
}

void Campaign::ask_what_is_left_out() {
    Progress progress;
    double sum = 0;
    for (const Part& part : chosen_) {
        const auto time = left();
        if (!time || sum >= *time || stop_signal() != 0) return;
        if (!to_do(part)) continue;
        sum += std::max(0.0, expected_->of(part).value_or(0) - record_of(part).seconds);
        if (!part.leaves_out()) continue;
        // Here, and not within the time of an answer.
        if (find_workload(part.group)) load_kernels(part.group);
        progress.show(static_cast<int>(left_out_.size()), static_cast<int>(chosen_.size()),
                      "predicting " + part.name);
        if (const auto count = what_is_left_out(part, *time / 10))
            left_out_.push_back(fmt::format("{} in {}", *count, part.name));
    }
}

std::string Campaign::plan() const {
    TextTable table({"part", "state", "expected", "what for"}, 4);
    double sum = 0;
    int unknown = 0;
    int open = 0;
    std::vector<CampaignPart> left_out;
    const auto budget = left();
    for (const Part& part : chosen_) {
        const CampaignPart& record = record_of(part);
        if (record.status == PartStatus::left_out) left_out.push_back(record);
        if (record.status == PartStatus::whole)
            table.add({part.name, std::string(name(record.status)), "", part.purpose});
        if (!to_do(part)) continue;
        const auto seconds = expected_->of(part);
        const double rest = std::max(0.0, seconds.value_or(0) - record.seconds);
        const bool beyond = budget && sum >= *budget;
        const bool cut = budget && !beyond && sum + rest > *budget;
        sum += rest;
        unknown += !seconds;
        ++open;
        table.add({part.name,
                   beyond                                     ? "beyond the budget"
                   : cut                                      ? "cut by the budget"
                   : record.status == PartStatus::not_started ? "to do"
                                                              : std::string(name(record.status)),
                   seconds ? rough_duration(rest) : "unknown", part.purpose});
    }
    const std::string known =
        expected_->origin().empty()
            ? "how long it takes is unknown"
            : fmt::format("about {}{} by the times of {}", rough_duration(sum),
                          unknown > 0 ? fmt::format(" and {} unknown", unknown) : "",
                          expected_->origin());
    std::string why_not;
    for (const auto& [why, names] : missing_parts(left_out))
        why_not += fmt::format("left out, because {}: {}\n", why, fmt::join(names, ", "));
    if (!left_out_.empty())
        why_not +=
            fmt::format("variants left out, because their predicted times are hopeless: {}\n",
                        fmt::join(left_out_, ", "));
    return fmt::format("{}{}\n{} part{} to measure on {}, {}{}\n", table.plain(), why_not, open,
                       open == 1 ? "" : "s",
                       context_.run->gpu ? context_.run->gpu->name : "this CPU",
                       open > 0 ? known : "nothing is left",
                       options_.budget.empty() ? "" : "; budget " + options_.budget);
}

void Campaign::measure(const Part& part, Progress& progress) {
    CampaignPart& record = record_of(part);
    const bool goes_on = part.resumes() && record.cases > 0;
    const PartOutcome outcome = measure_part(part, folder_.path(), goes_on, left());
    progress.clear();
    record.seconds += outcome.seconds;
    record.status = outcome.failure.empty() ? PartStatus::not_started : PartStatus::failed;
    record.reason = outcome.failure;
    store(false);
    // What the part's file says counts.
    const std::string file = (folder_.path() / (part.name + ".json")).string();
    std::vector<results::Document> results;
    try {
        results.push_back(results::read_document(file));
    } catch (const Error&) {
        // There is none.
    }
    const double seconds = record.seconds;
    record = folder_.state(part, results);
    record.seconds = seconds;
    fmt::print("{}: {}, {}{}{}\n", part.name, name(record.status), rough_duration(seconds),
               record.cases > 0
                   ? fmt::format(", {} cases{}", record.cases,
                                 record.hopeless ? fmt::format(", {} of them left out as hopeless",
                                                               *record.hopeless)
                                                 : "")
                   : "",
               record.reason.empty() ? "" : ": " + record.reason);
    std::fflush(stdout);
}

void Campaign::store(bool all_pages) {
    record_.seconds = seconds_before_ + process_age_seconds();
    folder_.store(context_, record_);
    write_campaign_pages(folder_.path(), *folder_.before(), all_pages);
}

int Campaign::run() {
    // Now, and not within the time of a part; what is loaded is not asked for again.
    for (const Part& part : chosen_)
        if (to_do(part) && find_workload(part.group)) load_kernels(part.group);
    unsetenv("CAMBER_BUILDER");

    const StopSignals signals;
    Progress progress;
    store(false);
    int done = 0;
    for (const Part& part : chosen_) {
        const int number = done++;
        if (!to_do(part)) continue;
        const auto time = left();
        if (stop_signal() != 0 || (time && *time < 1)) break;
        // Others have nothing to go on with when their time is over.
        if (time && !part.resumes() && expected_->of(part).value_or(0) > *time) continue;
        progress.show(number, static_cast<int>(chosen_.size()), part.name);
        measure(part, progress);
        store(false);
    }
    progress.show(done, static_cast<int>(chosen_.size()), "pages");
    store(true);
    progress.clear();
    return conclude();
}

int Campaign::conclude() const {
    int open = 0;
    std::int64_t wrong = 0;
    std::vector<std::string> failed;
    for (const Part& part : chosen_) {
        const CampaignPart& record = record_of(part);
        open += to_do(part);
        wrong += record.wrong;
        if (record.status == PartStatus::failed) failed.push_back(part.name);
    }
    fmt::print("\n{}: README.md links all, in {}\n", folder_.path().string(),
               rough_duration(record_.seconds));
    if (open > 0)
        fmt::print("{} of {} parts are not whole: camber campaign --out {} --resume goes on\n",
                   open, chosen_.size(), folder_.path().string());
    if (wrong > 0) {
        fmt::print("{} cases failed verification\n", wrong);
        return static_cast<int>(ExitCode::wrong_result);
    }
    return static_cast<int>(failed.empty() ? ExitCode::success : ExitCode::unavailable);
}

int run(const Options& options, const CommandLine& command_line) {
    // Before a folder is made.
    CampaignSettings most;
    if (options.gpus) most.most_gpus = *options.gpus;
    chosen_parts(campaign_parts(most), options.only);
    if (!options.resume || !std::filesystem::exists(options.out))
        device_for(chosen_backend(options.backend));
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
    auto options = std::make_shared<Options>();
    command->add_option("--out", options->out, "Folder for results and pages")->check(is_file_name);
    command
        ->add_option("--only", options->only,
                     "Parts, what their names begin with, or workloads, separated by commas "
                     "(default: all)")
        ->delimiter(',')
        ->check(not_empty);
    command
        ->add_option("--budget", options->budget,
                     "End after this time, as 90s, 20m or 1h; what is worth most comes first, and "
                     "variants whose predicted times are hopeless are left out")
        ->check(is_duration);
    command->add_flag("--resume", options->resume,
                      "Go on with the campaign of the folder: same commit and same card");
    command->add_flag("--list,--dry-run", options->list, "Print what would be measured, and end");
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
        chosen = [options, &command_line] { return run(*options, command_line); };
    });
}

}  // namespace camber
