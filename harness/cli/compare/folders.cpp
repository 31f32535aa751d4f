// `camber compare` of two folders, such as an earlier and a new campaign on one card: files of the
// same name are compared, and everything that became slower is listed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/text/table.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/compare/gate_options.hpp"
#include "harness/cli/compare/pages.hpp"
#include "harness/cli/compare/wording.hpp"
#include "harness/cli/reproduce/sources.hpp"
#include "harness/record/merge.hpp"

namespace camber {

// Compares the folders and prints the outcome; returns the exit code.
int compare_folders(const std::string& base, const std::string& changed, const GateOptions& gate);

namespace {

namespace fs = std::filesystem;
using namespace comparison;

struct FileComparison {
    std::string file;  // without .json and .zst
    Comparison comparison;
};

struct FolderComparison {
    std::string base, changed;
    double threshold = 0;
    std::vector<FileComparison> files;
    std::vector<std::pair<std::string, std::string>> incomparable;  // file and reason
    std::vector<std::string> only_in_base, only_in_new, damaged;

    std::size_t count(std::size_t Counts::*member) const {
        std::size_t sum = 0;
        for (const FileComparison& one : files) sum += one.comparison.counts.*member;
        return sum;
    }
    ExitCode exit_code() const {
        ExitCode worst = ExitCode::success;
        for (const FileComparison& one : files) {
            const ExitCode code = one.comparison.exit_code();
            if (code == ExitCode::wrong_result || worst == ExitCode::success) worst = code;
        }
        return worst;
    }
    std::string summary() const {
        const std::size_t regressed = count(&Counts::regressed);
        return fmt::format(
            "{} files compared, {} not comparable, {} only in BASE, {} only in NEW; {} cases; "
            "times: {} SLOWER, {} FASTER, {} SAME, {} UNDECIDED: {}.",
            files.size(), incomparable.size(), only_in_base.size(), only_in_new.size(),
            count(&Counts::cases), count(&Counts::slower), count(&Counts::faster),
            count(&Counts::same), count(&Counts::undecided),
            regressed == 0
                ? "no regression"
                : fmt::format("REGRESSION of {} case{}", regressed, regressed == 1 ? "" : "s"));
    }
};

using Documents = std::map<std::string, results::Document>;  // by path in the folder

Documents documents_of(const std::string& folder, std::vector<std::string>& damaged) {
    Documents documents;
    for (results::Document& document : documents_in(folder, &damaged)) {
        results::merge_repetitions(document);
        const fs::path path = fs::relative(document.source, folder);
        documents.insert_or_assign((path.parent_path() / json_stem(path)).string(),
                                   std::move(document));
    }
    return documents;
}

FolderComparison compared(const std::string& base, const std::string& changed,
                          const GateOptions& gate) {
    FolderComparison folders;
    folders.base = base;
    folders.changed = changed;
    const GateRules rules = gate.rules();
    folders.threshold = rules.time.threshold;
    const Documents before = documents_of(base, folders.damaged);
    const Documents after = documents_of(changed, folders.damaged);
    for (const auto& [file, document] : before) {
        const auto other = after.find(file);
        if (other == after.end()) {
            if (!document.cases.empty()) folders.only_in_base.push_back(file);
        } else if (!document.cases.empty() || !other->second.cases.empty()) {
            try {
                folders.files.push_back(
                    {file, comparison_of(document, other->second, rules, gate.only)});
            } catch (const Error& error) {
                if (error.code() != ExitCode::incomparable) throw;
                folders.incomparable.emplace_back(file, error.what());
            }
        }
    }
    for (const auto& [file, document] : after)
        if (!before.contains(file) && !document.cases.empty()) folders.only_in_new.push_back(file);
    if (!folders.files.empty()) return folders;
    if (folders.incomparable.empty())
        throw Error(ExitCode::incomparable,
                    fmt::format("\"{}\" and \"{}\" have no results file of the same name: give two "
                                "folders of one campaign",
                                base, changed));
    throw Error(
        ExitCode::incomparable,
        fmt::format("no file of the folders can be compared; {}: {}",
                    folders.incomparable.front().first, folders.incomparable.front().second));
}

TextTable files_table(const FolderComparison& folders) {
    TextTable table({"file", "cases", "slower", "faster", "same", "undecided", "worse", "better",
                     "missing", "added"});
    for (const auto& [file, one] : folders.files) {
        const Counts& counts = one.counts;
        table.add({file, std::to_string(counts.cases), std::to_string(counts.slower),
                   std::to_string(counts.faster), std::to_string(counts.same),
                   std::to_string(counts.undecided), std::to_string(counts.more),
                   std::to_string(counts.fewer), std::to_string(counts.missing),
                   std::to_string(counts.added)});
    }
    return table;
}

// All slower cases, the largest ratio first.
TextTable slower_table(const FolderComparison& folders) {
    std::vector<std::pair<const std::string*, const CaseComparison*>> slower;
    for (const auto& [file, comparison] : folders.files)
        for (const CaseComparison& one : comparison.cases)
            if (one.time && one.time->verdict == Verdict::slower) slower.emplace_back(&file, &one);
    std::ranges::stable_sort(slower, std::greater(),
                             [](const auto& one) { return one.second->time->time.ratio; });
    TextTable table({{"file", Align::left},
                     {"slower case", Align::left},
                     {"ratio"},
                     {"95 % interval", Align::left},
                     {"BASE"},
                     {"NEW"},
                     {"deterministic", Align::left}});
    for (const auto& [file, one] : slower)
        table.add({*file, one->name, fmt::format("{:.3f}", one->time->time.ratio),
                   interval_of(*one->time), duration(one->time->base_ns),
                   duration(one->time->new_ns), quantities_of(*one)});
    return table;
}

std::string text_of(const FolderComparison& folders, bool markdown) {
    std::string text = fmt::format("BASE {}\nNEW  {}\n\n", folders.base, folders.changed);
    if (markdown) text = fmt::format("`{}` against `{}`\n\n", folders.changed, folders.base);
    const auto add = [&](const TextTable& table) {
        if (!table.empty())
            text += (markdown ? table.markdown({.cell = escape_markdown}) : table.plain()) + "\n";
    };
    add(files_table(folders));
    add(slower_table(folders));
    const auto note = [&](const std::string& sentence) {
        text += (markdown ? "- " + escape_markdown(sentence) : "note: " + sentence) + "\n";
    };
    for (const auto& [file, comparison] : folders.files)
        for (const CaseComparison& one : comparison.cases)
            if (one.regressed() && one.standing != Standing::compared)
                note(fmt::format("{}: {} is {}{}", file, one.name, name(one.standing),
                                 one.reason.empty() ? "" : ": " + one.reason));
    for (const auto& [file, reason] : folders.incomparable)
        note(fmt::format("{} was not compared: {}", file, reason));
    if (!folders.only_in_base.empty())
        note(fmt::format("only in BASE: {}", fmt::join(folders.only_in_base, ", ")));
    if (!folders.only_in_new.empty())
        note(fmt::format("only in NEW: {}", fmt::join(folders.only_in_new, ", ")));
    for (const std::string& damage : folders.damaged) note("left out: " + damage);
    return text + fmt::format("ratio: NEW / BASE, above 1 is slower; threshold {:.1f} %\n{}\n",
                              100 * folders.threshold, folders.summary());
}

// The comparison of each file as `camber compare --format json` prints it, by file.
std::string json_of(const FolderComparison& folders) {
    nlohmann::ordered_json json = {{"base", folders.base},
                                   {"new", folders.changed},
                                   {"threshold", folders.threshold},
                                   {"exit_code", static_cast<int>(folders.exit_code())},
                                   {"summary", folders.summary()},
                                   {"only_in_base", folders.only_in_base},
                                   {"only_in_new", folders.only_in_new},
                                   {"damaged", folders.damaged},
                                   {"not_comparable", nlohmann::ordered_json::object()},
                                   {"files", nlohmann::ordered_json::object()}};
    for (const auto& [file, reason] : folders.incomparable) json["not_comparable"][file] = reason;
    for (const auto& [file, comparison] : folders.files)
        json["files"][file] = nlohmann::ordered_json::parse(comparison_json(comparison));
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

int compare_folders(const std::string& base, const std::string& changed, const GateOptions& gate) {
    one_of("--format of two folders", gate.format, {"table", "markdown", "json"});
    const FolderComparison folders = compared(base, changed, gate);
    gate.deliver(gate.format == "json" ? json_of(folders)
                                       : text_of(folders, gate.format == "markdown"));
    if (!gate.out.empty()) fmt::print("{}\n", folders.summary());
    return static_cast<int>(folders.exit_code());
}

}  // namespace camber
