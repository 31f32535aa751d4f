#include "harness/cli/campaign/campaign.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <thread>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/cli/campaign/pages.hpp"
#include "harness/cli/campaign/part_process.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/machine/environment/host.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/measure/ceilings/ceilings.hpp"
#include "harness/record/merge.hpp"
#include "harness/registry/kernels.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

using results::CampaignPart;
using results::PartStatus;

// Backend of the campaign: CUDA unless the options choose another one, because only a GPU gives
// times.
std::string chosen_backend(const std::string& backend) {
    if (backend != "auto") return backend;
    if (!cuda_devices().empty()) return "cuda";
    throw Error(
        ExitCode::unavailable,
        fmt::format("a campaign measures a GPU, and {}; --backend simt verifies all kernels "
                    "on the CPU and times nothing",
                    why_no_cuda()));
}

// GPU that the campaign measures; nullopt on other backends.
std::optional<DeviceInfo> device_for(const std::string& backend) {
    if (backend != "cuda") return std::nullopt;
    const auto devices = cuda_devices();
    if (devices.empty())
        throw Error(ExitCode::unavailable,
                    fmt::format("this campaign needs a GPU: {}", why_no_cuda()));
    return devices.front();
}

// Settings from the options; settings that the options omit are those of the resumed campaign.
CampaignSettings settings_of(const CampaignOptions& options,
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

// Part of the budget that is reserved for writing the pages at the end.
double reserve(double budget) {
    return std::min(30.0, budget / 10);
}

// Throws if the machine cannot measure so many parts at once.
void check_at_once(int count, const std::string& backend) {
    if (count == 1 || backend == "simt") return;
    if (backend == "cpu")
        throw Error(ExitCode::usage,
                    "--at-once is for GPUs and for --backend simt: times of the CPU would disturb "
                    "each other");
    const auto devices = cuda_devices();
    if (static_cast<int>(devices.size()) < count)
        throw Error(ExitCode::unavailable,
                    fmt::format("--at-once {} measures on {} GPUs, and this machine has {}", count,
                                count, devices.size()));
    for (int k = 1; k < count; ++k)
        if (devices[k].name != devices[0].name)
            throw Error(ExitCode::usage,
                        fmt::format("--at-once {} measures on {} GPUs of one kind, and GPU {} is "
                                    "{}, GPU 0 {}",
                                    count, count, k, devices[k].name, devices[0].name));
}

std::vector<MachineShare> shares_of(int count, const std::string& backend) {
    return divide_machine(count, usable_cores(),
                          backend == "cuda" ? gpu_names(count, std::getenv("CUDA_VISIBLE_DEVICES"))
                                            : std::vector<std::string>());
}

}  // namespace

void check_machine(const CampaignOptions& options) {
    const std::string backend = chosen_backend(options.backend);
    device_for(backend);
    check_at_once(options.at_once, backend);
}

Campaign::Campaign(const CampaignOptions& options, const CommandLine& command_line)
    : options_(options),
      folder_(options.out, options.list     ? CampaignFolder::Use::look
                           : options.resume ? CampaignFolder::Use::go_on
                                            : CampaignFolder::Use::begin),
      settings_(settings_of(options, folder_.before())),
      all_(campaign_parts(settings_)),
      chosen_(chosen_parts(all_, options.only)) {
    const std::optional<DeviceInfo> device = device_for(settings_.backend);
    check_at_once(options.at_once, settings_.backend);
    CommandLine command = command_line;
    command.front() = "camber";  // without the program's path
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
    const auto& began = folder_.before();
    const int most = std::max(options.at_once, began ? began->campaign->at_once.value_or(1) : 1);
    if (most > 1) record_.at_once = most;
    record_.data = settings_.data;
    for (const Part& part : all_) record_.parts.push_back(folder_.state(part, results));
    expected_.emplace(measured_campaigns(), settings_, device ? device->name : "");
}

CampaignPart& Campaign::record_of(const Part& part) {
    return record_in(record_, part);
}
const CampaignPart& Campaign::record_of(const Part& part) const {
    return record_in(record_, part);
}

bool Campaign::to_do(const Part& part) const {
    const PartStatus status = record_of(part).status;
    return status != PartStatus::whole && status != PartStatus::left_out;
}

bool Campaign::beside_others(const Part& part) const {
    return options_.at_once > 1 && !part.wants_whole_machine();
}

double Campaign::rest_of(const Part& part) const {
    const double rest = std::max(0.0, expected_->of(part).value_or(0) - record_of(part).seconds);
    return beside_others(part) ? rest / options_.at_once : rest;
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
        sum += rest_of(part);
        if (!part.leaves_out()) continue;
        // Kernels are loaded here so that the time limit of the prediction does not include it.
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
        const double rest = rest_of(part);
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
                   seconds ? rough_duration(std::max(0.0, *seconds - record.seconds)) : "unknown",
                   part.purpose});
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

void Campaign::show_progress() {
    progress_->show(done_, static_cast<int>(chosen_.size()),
                    fmt::format("{}", fmt::join(at_work_, ", ")));
}

void Campaign::work(const std::vector<const Part*>& parts, std::size_t& next,
                    const MachineShare& share) {
    for (;;) {
        const Part* part = nullptr;
        {
            const std::lock_guard lock(mutex_);
            for (; next < parts.size() && !part; ++next) {
                const auto time = left();
                if (stop_signal() != 0 || (time && *time < 1)) return;
                // A part that cannot be resumed would lose its results at the end of the budget.
                const Part& candidate = *parts[next];
                if (time && !candidate.resumes() && expected_->of(candidate).value_or(0) > *time)
                    continue;
                part = &candidate;
            }
            if (!part) return;
            at_work_.insert(part->name);
            show_progress();
        }
        measure(*part, share);
    }
}

// Called concurrently by several threads, each with another part.
void Campaign::measure(const Part& part, const MachineShare& share) {
    std::unique_lock lock(mutex_);
    CampaignPart& record = record_of(part);
    const bool goes_on = part.resumes() && record.cases > 0;
    const auto time = left();
    lock.unlock();
    const PartOutcome outcome = measure_part(part, folder_.path(), goes_on, time, share);
    lock.lock();
    progress_->clear();
    record.seconds += outcome.seconds;
    record.status = outcome.failure.empty() ? PartStatus::not_started : PartStatus::failed;
    record.reason = outcome.failure;
    store(false);
    // The part's results file determines its state.
    const std::string file = results_file(folder_.path(), part.name).string();
    std::vector<results::Document> results;
    try {
        results.push_back(results::read_document(file));
    } catch (const Error&) {
        // The part wrote no results file.
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
    at_work_.erase(part.name);
    ++done_;
    store(false);
    if (!at_work_.empty()) show_progress();
}

void Campaign::store(bool all_pages) {
    record_.seconds = seconds_before_ + process_age_seconds();
    folder_.store(context_, record_);
    write_campaign_pages(folder_.path(), *folder_.before(), all_pages);
}

int Campaign::run() {
    // Kernels are loaded now so that no part's time includes it. Without the builder, parts do not
    // rebuild them.
    for (const Part& part : chosen_)
        if (to_do(part) && find_workload(part.group)) load_kernels(part.group);
    unsetenv("CAMBER_BUILDER");

    const StopSignals signals;
    progress_.emplace();
    store(false);
    std::vector<const Part*> beside;
    std::vector<const Part*> alone;
    for (const Part& part : chosen_)
        if (to_do(part))
            (beside_others(part) ? beside : alone).push_back(&part);
        else
            ++done_;
    // Threads start the parts' processes and wait for them. After an exception, the campaign ends
    // when all threads have ended.
    std::exception_ptr failure;
    std::size_t next = 0;
    if (!beside.empty()) {
        std::vector<std::jthread> threads;
        for (const MachineShare& share : shares_of(options_.at_once, settings_.backend))
            threads.emplace_back([&, share] {
                try {
                    work(beside, next, share);
                } catch (...) {
                    const std::lock_guard lock(mutex_);
                    if (!failure) failure = std::current_exception();
                    next = beside.size();
                }
            });
    }
    if (failure) std::rethrow_exception(failure);
    next = 0;
    work(alone, next, {});
    progress_->show(done_, static_cast<int>(chosen_.size()), "pages");
    store(true);
    progress_->clear();
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

}  // namespace camber
