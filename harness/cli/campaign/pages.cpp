#include "harness/cli/campaign/pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/cli/campaign/folder.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/child_process.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/reproduce/page.hpp"
#include "harness/cli/reproduce/sources.hpp"
#include "harness/record/document.hpp"
#include "harness/record/fields.hpp"
#include "harness/record/merge.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;
using results::CampaignPart;
using results::PartStatus;

std::string machine(const results::Document& document) {
    const std::string gpu = document.gpu();
    if (!gpu.empty()) return gpu;
    const results::Run& run = *document.run();
    return run.cpu && run.cpu->model ? "this CPU, " + *run.cpu->model : "a CPU";
}

// Command line with shell quoting.
std::string typed(const CommandLine& command) {
    std::string text = "./camber";
    for (std::size_t k = 1; k < command.size(); ++k)
        text += command[k].find_first_of("*? ") == std::string::npos ? " " + command[k]
                                                                     : " '" + command[k] + "'";
    return text;
}

bool is_there(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
}

std::string files_of(const CampaignPart& part, const fs::path& folder) {
    const fs::path results = results_file(folder, part.name);
    std::string text = is_there(results)
                           ? fmt::format("[{}]({})", part.name, results.filename().string())
                           : part.name;
    if (is_there(folder / (part.name + ".txt"))) text += fmt::format(", [table]({}.txt)", part.name);
    return text;
}

std::string facts(const results::Document& campaign) {
    const results::Run& run = *campaign.run();
    TextTable table({"", ""});
    table.add({"card", campaign.gpu().empty() ? "none" : campaign.gpu()});
    if (campaign.campaign->at_once)
        table.add({"at once", fmt::format("up to {} parts, each with {}an equal share of the "
                                          "processor's cores",
                                          *campaign.campaign->at_once,
                                          campaign.gpu().empty() ? "" : "a card of its own and ")});
    if (run.cpu && run.cpu->model) table.add({"processor", *run.cpu->model});
    if (run.driver_version && *run.driver_version) table.add({"driver", **run.driver_version});
    if (run.runtime) table.add({"CUDA", *run.runtime});
    table.add({"commit", results::commit_text(run)});
    table.add({"begun", run.date});
    table.add({"time in all", rough_duration(campaign.campaign->seconds)});
    return table.markdown();
}

// Parts that another commit than the campaign's measured; "" if there are none.
std::string other_commits(const results::Document& campaign,
                          const std::vector<published::Card>& cards) {
    std::map<std::string, std::set<std::string>> parts;
    for (const published::Card& card : cards)
        for (const results::Document& document : card.documents)
            if (document.run() != nullptr)
                parts[results::commit_text(*document.run())].insert(
                    json_stem(document.source));
    parts.erase(results::commit_text(*campaign.run()));
    std::string text;
    for (const auto& [commit, names] : parts)
        text += fmt::format("- commit {}: {}\n", commit, fmt::join(names, ", "));
    return text.empty() ? "" : "Parts that another commit measured:\n\n" + text + "\n";
}

void renew(const fs::path& file, const std::string& text) {
    AtomicFile(file, "page").replace(text);
}

std::vector<std::string> results_files(const fs::path& folder, const results::Campaign& campaign) {
    std::vector<std::string> files;
    for (const CampaignPart& part : campaign.parts)
        if (const fs::path file = results_file(folder, part.name); is_there(file))
            files.push_back(file.string());
    return files;
}

// Documents whose file names are relative to the pages.
std::vector<results::Document> documents_of(const std::vector<std::string>& files) {
    std::vector<results::Document> documents = documents_from(files);
    for (results::Document& document : documents)
        document.source = fs::path(document.source).filename().string();
    return documents;
}

// Writes the report in a separate process, because it may run out of memory.
void write_report(const fs::path& folder, const results::Document& campaign,
                  const std::vector<std::string>& files) {
    CommandLine words{"camber",  "report",
                      "-o",      (folder / "report.html").string(),
                      "--title", fmt::format("camber: {}", machine(campaign))};
    words.insert(words.end(), files.begin(), files.end());
    ChildProcess child(words);
    wait_for(child);
}

}  // namespace

std::vector<std::pair<std::string, std::vector<std::string>>> missing_parts(
    const std::vector<CampaignPart>& parts) {
    std::vector<std::pair<std::string, std::vector<std::string>>> missing;
    for (const CampaignPart& part : parts) {
        if (part.status == PartStatus::whole) continue;
        const std::string why = part.reason.empty() ? std::string(name(part.status)) : part.reason;
        auto into = std::ranges::find(missing, why, [](const auto& entry) { return entry.first; });
        if (into == missing.end()) into = missing.insert(into, {why, {}});
        into->second.push_back(part.name);
    }
    return missing;
}

std::string campaign_tables_page(const std::vector<published::Card>& cards) {
    std::string text =
        "# The published tables, beside what was measured here\n\n"
        "Written by `camber campaign` from the results files of this folder. `camber reproduce` "
        "prints one table.\n";
    for (const published::Table& table : published::tables()) {
        text += "\n";
        try {
            text += reproduction_page(reproduce(table, cards), PageFormat::markdown);
        } catch (const Error& error) {
            text += fmt::format("{}: {}\n", table.id, error.what());
        }
    }
    return text;
}

std::string campaign_readme(const results::Document& campaign, const fs::path& folder,
                            const std::vector<published::Card>& results) {
    const std::string others = other_commits(campaign, results);
    std::string text = fmt::format(
        "# Measured on {}\n\n"
        "Written by `camber campaign`. All files are of {}{} `--resume` goes on where something is "
        "missing.\n\n{}\n{}",
        machine(campaign),
        campaign.campaign->at_once && !campaign.gpu().empty() ? "one kind of card" : "one card",
        others.empty() ? " and one commit." : ".", facts(campaign), others);
    std::error_code ignored;
    const std::pair<const char*, const char*> pages[] = {
        {"report.html", "charts and ranked tables of all results"},
        {"tables.md", "the published tables beside what was measured here"},
        {"questions.md", "what became of the published conclusions"}};
    for (const auto& [name, what] : pages)
        if (fs::exists(folder / name, ignored))
            text += fmt::format("- [{}]({}): {}\n", name, name, what);

    text += "\n## What was measured\n\n";
    TextTable measured({"part", "what for", "cases", "time", ""}, 2);
    std::string commands;
    bool hopeless = false;
    for (const CampaignPart& part : campaign.campaign->parts) {
        const std::string status =
            part.status == PartStatus::whole
                ? part.wrong > 0 ? fmt::format("{} failed verification", part.wrong) : ""
                : std::string(name(part.status));
        const std::string left_out = part.hopeless
                                         ? fmt::format("{}{} left out as hopeless",
                                                       status.empty() ? "" : ", ", *part.hopeless)
                                         : "";
        if (part.cases > 0 || part.status == PartStatus::whole)
            measured.add({files_of(part, folder), part.purpose,
                          part.cases > 0 ? fmt::format("{}", part.cases) : "",
                          rough_duration(part.seconds), status + left_out});
        hopeless = hopeless || part.hopeless;
        if (part.status == PartStatus::whole || part.status == PartStatus::incomplete)
            commands += typed(part.command) + "\n";
    }
    text += measured.markdown();
    if (hopeless)
        text +=
            "\nThe campaign had a budget, so variants whose predicted times were hopeless were "
            "left "
            "out. Each results file\nnames them, with both predicted times. `--resume` without "
            "`--budget` measures them.\n";
    TextTable missing({"why", "parts"}, 2);
    for (const auto& [why, names] : missing_parts(campaign.campaign->parts))
        missing.add({why, fmt::format("{}", fmt::join(names, ", "))});
    if (!missing.empty()) text += "\n## What is missing\n\n" + missing.markdown();
    if (!commands.empty())
        text += "\n## Commands\n\nEach part by itself, in the order of the table:\n\n```sh\n" +
                commands + "```\n";
    return text;
}

void write_campaign_pages(const fs::path& folder, const results::Document& campaign, bool all) {
    const auto attempt = [](const char* what, const auto& make) {
        try {
            make();
        } catch (const Error& error) {
            say_error(fmt::format("cannot make {}: {}", what, error.what()));
        }
    };
    std::vector<published::Card> cards;
    if (all) {
        const auto files = results_files(folder, *campaign.campaign);
        attempt("pages", [&] { cards = published::by_card(documents_of(files)); });
        attempt("tables.md", [&] { renew(folder / "tables.md", campaign_tables_page(cards)); });
        attempt("questions.md", [&] {
            renew(folder / "questions.md", questions_page(cards, PageFormat::markdown));
        });
        attempt("report.html", [&] { write_report(folder, campaign, files); });
    }
    attempt("README.md", [&] { renew(folder / "README.md", campaign_readme(campaign, folder, cards)); });
}

namespace {

namespace fs = std::filesystem;

void shorten(results::CaseRecord& record) {
    if (record.kernels.size() > 1) record.kernels.resize(1);
    for (results::Kernel& kernel : record.kernels) {
        kernel.regions.clear();
        kernel.basic_blocks.clear();
    }
    record.device_state.reset();
    const Workload* const workload = find_workload(record.identity.workload);
    if (workload && workload->capabilities().parameter_start) return;
    record.kernel_times.reset();
    record.kernel_counters.clear();
}

// JSON text without line breaks and indentation, which are half of a file.
std::string compact_text(const results::Document& document) {
    return results::Json::parse(to_text(document)).dump() + "\n";
}

std::vector<fs::path> json_files(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (is_json_file(entry.path())) files.push_back(entry.path());
    if (error)
        throw Error(ExitCode::usage, fmt::format("the folder {} cannot be read: {}",
                                                 folder.string(), error.message()));
    std::ranges::sort(files);
    return files;
}

}  // namespace

int write_campaign_summary(const fs::path& folder, const fs::path& out) {
    const std::vector<fs::path> files = json_files(folder);
    std::error_code error;
    fs::create_directories(out, error);
    if (error)
        throw Error(ExitCode::unavailable,
                    fmt::format("the folder {} cannot be made: {}", out.string(), error.message()));
    if (fs::equivalent(folder, out, error))
        throw Error(ExitCode::usage,
                    fmt::format("--summary {} is the campaign's own folder: name another one",
                                out.string()));
    int written = 0;
    for (const fs::path& file : files) {
        results::Document document = results::read_document(file);
        if (document.cases.empty() || !document.models.empty()) continue;
        for (results::CaseRecord& record : document.cases) shorten(record);
        AtomicFile(out / file.filename(), "results file").replace(compact_text(document));
        ++written;
    }
    if (written == 0)
        throw Error(
            ExitCode::usage,
            fmt::format("{} has no results file: give the folder of a campaign", folder.string()));
    return written;
}

}  // namespace camber
