#include "harness/cli/campaign/folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/cli/run/run_parts.hpp"
#include "harness/record/merge.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

constexpr const char* state_file = "campaign.json";

// Files that start with a dot are left over from killed processes.
bool holds_files(const fs::path& folder) {
    std::error_code ignored;
    return std::any_of(fs::directory_iterator(folder, ignored), fs::directory_iterator(),
                       [](const fs::directory_entry& entry) {
                           return !entry.path().filename().string().starts_with('.');
                       });
}

void make(const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_directory(folder, error))
        throw Error(ExitCode::usage,
                    fmt::format("--out {} is a file: give the name of a folder", folder.string()));
    fs::create_directories(folder, error);
    if (error)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot make the folder {}: {}; choose another --out",
                                folder.string(), error.message()));
}

std::optional<results::Document> read_if_whole(const fs::path& path) {
    try {
        return results::read_document(path);
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

fs::path results_file(const fs::path& folder, const std::string& part) {
    fs::path plain = folder / (part + ".json");
    std::error_code ignored;
    if (!fs::exists(plain, ignored)) plain += compressed_suffix;
    return plain;
}

CampaignFolder::CampaignFolder(fs::path path, Use use) : path_(std::move(path)) {
    if (use != Use::look) make(path_);
    if (use == Use::begin && holds_files(path_))
        throw Error(ExitCode::usage,
                    fmt::format("{} holds files already: go on with its campaign by --resume, or "
                                "choose another --out",
                                path_.string()));
    if (use != Use::look) file_.emplace(path_ / state_file, "state of a campaign");
    before_ = read_if_whole(path_ / state_file);
    if (before_ && !before_->campaign) before_.reset();
}

std::vector<results::Document> CampaignFolder::results(const results::Run& now,
                                                       const std::vector<Part>& parts) const {
    results::Run now_on_cpu = now;
    now_on_cpu.gpu.reset();
    std::vector<fs::path> paths;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(path_, ignored))
        if (is_json_file(entry.path())) paths.push_back(entry.path());
    std::ranges::sort(paths);
    std::vector<results::Document> documents;
    for (const fs::path& path : paths) {
        auto document = read_if_whole(path);
        if (!document || !document->run()) continue;
        const auto part = std::ranges::find(parts, json_stem(path), &Part::name);
        const bool on_cpu = part != parts.end() && part->on_cpu();
        const std::string difference =
            results::difference_of_origin(*document->run(), on_cpu ? now_on_cpu : now);
        if (!difference.empty())
            throw Error(ExitCode::usage,
                        fmt::format("{} was measured elsewhere, {}: one folder is of one card and "
                                    "one commit; choose another --out",
                                    path.string(), difference));
        if (!document->campaign) documents.push_back(std::move(*document));
    }
    return documents;
}

results::CampaignPart CampaignFolder::state(const Part& part,
                                            const std::vector<results::Document>& results) const {
    using results::PartStatus;
    results::CampaignPart state;
    state.name = part.name;
    state.command = part.command;
    state.purpose = part.purpose;
    if (before_) {
        const auto& known = before_->campaign->parts;
        const auto found = std::ranges::find(known, part.name, &results::CampaignPart::name);
        if (found != known.end()) {
            state.seconds = found->seconds;
            if (found->status == PartStatus::failed) {
                state.status = found->status;
                state.reason = found->reason;
            }
        }
    }
    if (!part.left_out.empty()) {
        state.status = PartStatus::left_out;
        state.reason = part.left_out;
    }
    const std::string source = results_file(path_, part.name).string();
    const auto found = std::ranges::find(results, source, &results::Document::source);
    if (found == results.end()) return state;
    const CommandLine before = significant_words(found->run()->command);
    if (before != significant_words(part.command))
        throw Error(ExitCode::usage,
                    fmt::format("{} is of another command, camber {}: go on with the options that "
                                "the campaign began with, or choose another --out",
                                source, fmt::join(before, " ")));
    if (found->run()->incomplete) {
        if (state.status != PartStatus::failed) state.status = PartStatus::incomplete;
    } else {
        state.status = PartStatus::whole;
        state.reason = "";
    }
    if (state.seconds == 0 && found->run()->wall) state.seconds = found->run()->wall->total;
    state.cases = static_cast<std::int64_t>(found->cases.size());
    const auto hopeless = std::ranges::count(found->cases, true, &results::CaseRecord::left_out);
    if (hopeless > 0) state.hopeless = hopeless;
    // Without a budget, variants that were left out have to be measured, too.
    if (hopeless > 0 && !part.leaves_out() && state.status == PartStatus::whole)
        state.status = PartStatus::incomplete;
    state.wrong =
        std::ranges::count(found->cases, results::Status::failed, &results::CaseRecord::status);
    return state;
}

void CampaignFolder::store(const results::Context& context, const results::Campaign& campaign) {
    results::Document document;
    document.context = context;
    document.campaign = campaign;
    file_->replace(results::to_text(document));
    before_ = std::move(document);
}

}  // namespace camber
