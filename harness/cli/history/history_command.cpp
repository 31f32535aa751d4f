// Command `camber history`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/cli/compare/gate_options.hpp"
#include "harness/cli/history/store.hpp"
#include "harness/cli/history/trend_text.hpp"
#include "harness/page/page.hpp"
#include "harness/record/fields.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;
using history::Commit;

struct AddOptions {
    std::vector<std::string> files;
    std::string folder;
    std::string commit;
    std::string repository;
    std::string machine;
    bool dirty = false;
};

struct ShowOptions {
    std::string folder;
    std::string repository;
    std::string machine;
    std::string cases = "*";
    std::string format = "table";
    std::string threshold = "3%";
    std::size_t last = 0;
    bool all = false;
};

struct GateCommandOptions {
    std::string folder;
    std::string repository;
    std::string machine;
    std::string commit;
    std::string against;
    std::size_t last = 10;
    GateOptions gate;
};

std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

bool is_full_hash(const std::string& text) {
    return (text.size() == 40 || text.size() == 64) &&
           text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// The repository that the user named, or otherwise the one around the working directory.
std::optional<GitRepository> repository_for_names(const std::string& named) {
    return named.empty() ? GitRepository::around(".") : GitRepository(named);
}

std::optional<GitRepository> named_repository(const std::string& named) {
    return named.empty() ? std::nullopt : std::optional(GitRepository(named));
}

// Commit of the results: that of --commit, or otherwise the one that the file states.
Commit commit_of(const results::Document& document, const AddOptions& options) {
    const results::Run* run = document.run();
    Commit commit;
    std::string revision = options.commit;
    if (revision.empty() && run && run->git) {
        revision = run->git->commit;
        commit.dirty = run->git->dirty;
    }
    if (revision.empty())
        throw Error(ExitCode::usage,
                    fmt::format("{} does not state the commit that it measured: name it with "
                                "--commit, such as --commit HEAD",
                                document.source));
    const auto repository = repository_for_names(options.repository);
    const auto found = repository ? repository->find(revision) : std::nullopt;
    if (found) {
        commit.hash = found->hash;
        commit.time = found->time;
        commit.time_of = "commit";
        commit.subject = found->subject;
        const auto head = repository->find("HEAD");
        if (!options.commit.empty() && head && head->hash == found->hash)
            commit.dirty = repository->is_dirty();
    } else if (!options.repository.empty()) {
        repository->commit(revision);  // throws
    } else if (!is_full_hash(revision)) {
        throw Error(ExitCode::usage,
                    fmt::format("commit '{}' cannot be looked up, because {}: give its 40 digits, "
                                "or the repository with --repository",
                                revision,
                                repository ? "the repository here does not contain it"
                                           : "this folder is in no git repository"));
    } else {
        commit.hash = revision;
        const std::string date = run ? run->date : document.context.date;
        const auto measured = history::seconds_of(date);
        commit.time = measured.value_or(now());
        commit.time_of = measured ? "measurement" : "addition";
    }
    if (commit.dirty && !options.dirty)
        throw Error(
            ExitCode::usage,
            fmt::format("{} comes from commit {} with uncommitted changes, which nobody can "
                        "look up later: commit them and measure again, or store it as "
                        "\"{}\" with --dirty",
                        document.source, commit.hash.substr(0, 12), commit.text()));
    return commit;
}

int add(const AddOptions& options) {
    struct Checked {
        HistoryEntry entry;
        std::string text;
        std::size_t cases = 0;
    };
    std::vector<Checked> all;  // nothing is added unless everything can be
    for (const std::string& path : options.files) {
        std::string text = read_file(path, "results file", "a file of results");
        const results::Document document = results::parse_document(text, path);
        if (document.cases.empty())
            throw Error(ExitCode::usage,
                        fmt::format("{} has no cases: give a file of camber run --out, camber "
                                    "model --json or --baseline, or Google Benchmark",
                                    path));
        say_incomplete(document);
        HistoryEntry entry;
        entry.commit = commit_of(document, options);
        entry.machine = machine_of(document);
        if (!options.machine.empty()) entry.machine.name = options.machine;
        entry.added = history::utc_text(now());
        entry.source = fs::path(path).filename().string();
        all.push_back({std::move(entry), std::move(text), document.cases.size()});
    }
    const HistoryFolder folder(options.folder, HistoryFolder::Missing::created);
    for (const Checked& one : all) {
        const auto added = folder.add(one.entry, one.text);
        std::error_code ignored;
        fmt::print("{}: {} case{} of {} on {}, {}\n",
                   added.is_new ? "added" : "already in the history", one.cases,
                   one.cases == 1 ? "" : "s", one.entry.commit.text(), one.entry.machine.name,
                   added.is_new ? fmt::format("{:.1f} kB", 1e-3 * static_cast<double>(fs::file_size(
                                                                      added.file, ignored)))
                                : "nothing added");
    }
    return static_cast<int>(ExitCode::success);
}

int show(const ShowOptions& options) {
    one_of("--format", options.format, {"table", "json"});
    const double threshold = threshold_from(options.threshold);
    const HistoryFolder folder(options.folder);
    const auto repository = named_repository(options.repository);
    auto trends = trends_of(folder, repository ? &*repository : nullptr, options.machine,
                            options.last, threshold);
    std::size_t matches = 0;
    for (history::MachineTrend& trend : trends) {
        std::erase_if(trend.cases, [&](const history::CaseTrend& one) {
            return !matches_glob(options.cases, one.name);
        });
        matches += trend.cases.size();
    }
    if (matches == 0)
        throw Error(ExitCode::usage,
                    fmt::format("--case '{}' matches no case of the history \"{}\": use * for any "
                                "text, or leave it out",
                                options.cases, options.folder));
    if (options.format == "json")
        print_verbatim(results::to_text(
            results::Json{{"history", options.folder},
                          {"threshold", threshold},
                          {"machines", history_json(trends, HistoryDetail::all)}}));
    else
        fmt::print("{}", trends_text(trends, {"*", options.all, threshold}));
    return static_cast<int>(ExitCode::success);
}

// The position of a commit that the user named.
std::size_t position_of(const MachineHistory& machine, const std::string& revision,
                        const std::string& repository, const char* option) {
    const auto names = repository_for_names(repository);
    const auto found = names ? names->find(revision) : std::nullopt;
    const std::string hash = found ? found->hash : revision;
    for (std::size_t k = machine.commits.size(); k-- > 0;)
        if (machine.commits[k].commit.hash == hash ||
            (hash.size() >= 7 && machine.commits[k].commit.hash.starts_with(hash)))
            return k;
    throw Error(
        ExitCode::usage,
        fmt::format("{} is '{}', of which the history has no results on {}: add them first, "
                    "or name another commit",
                    option, revision, machine.machine.name));
}

int gate(const GateCommandOptions& options) {
    options.gate.check_format();
    check_files({{"the history", options.folder}}, {{"--out", options.gate.out}});
    const comparison::GateRules rules = options.gate.rules();
    const HistoryFolder folder(options.folder);
    const auto repository = named_repository(options.repository);
    const auto machines = by_machine(folder.entries(), repository ? &*repository : nullptr);
    const MachineHistory& machine = machine_named(machines, options.machine, options.folder);
    const std::size_t judged = options.commit.empty() ? machine.commits.size() - 1
                                                      : position_of(machine, options.commit,
                                                                    options.repository, "--commit");
    const Commit& commit = machine.commits[judged].commit;
    std::vector<std::size_t> base;  // the newest first
    if (!options.against.empty()) {
        base.push_back(position_of(machine, options.against, options.repository, "--against"));
    } else {
        for (std::size_t k = judged; k-- > 0 && base.size() < options.last;)
            // On another branch, the results are not those of a predecessor.
            if (!repository || repository->is_ancestor(machine.commits[k].commit.hash, commit.hash))
                base.push_back(k);
    }
    if (base.empty())
        throw Error(ExitCode::incomparable,
                    fmt::format("the history has no results on {} before commit {}, with which to "
                                "compare: add those of an earlier commit",
                                machine.machine.name, commit.text()));
    std::vector<results::Document> earlier;
    for (const std::size_t k : base)
        earlier.push_back(
            history::merged(machine.commits[k].documents(), machine.commits[k].commit.text()));
    const results::Document changed =
        history::merged(machine.commits[judged].documents(), commit.text());
    results::Document before = history::gate_base(earlier, changed, rules.time.threshold);
    if (base.size() > 1)
        before.source +=
            fmt::format(" and {} commit{} before it", base.size() - 1, base.size() == 2 ? "" : "s");
    const auto comparison = comparison_of(before, changed, rules, options.gate.only);
    options.gate.deliver(comparison);
    return static_cast<int>(comparison.exit_code());
}

void add_repository_option(CLI::App& command, std::string& repository, const char* help) {
    command.add_option("--repository", repository, help)->type_name("DIR")->check(not_empty);
}

void add_machine_option(CLI::App& command, std::string& machine, const char* help) {
    command.add_option("--machine", machine, help)->type_name("NAME")->check(not_empty);
}

void add_folder(CLI::App& command, std::string& folder) {
    command.add_option("history", folder, "Folder that camber history add --to wrote")
        ->type_name("DIR")
        ->required()
        ->check(not_empty);
}

constexpr const char* order_help =
    "Repository whose history orders the commits; else their times do";

void add_add(CLI::App& history, Action& chosen) {
    CLI::App* command = history.add_subcommand(
        "add", "Store results files by commit and machine, compressed; nothing is replaced");
    auto options = std::make_shared<AddOptions>();
    command
        ->add_option("files", options->files,
                     "Results files of camber run, camber model or Google Benchmark")
        ->type_name("FILE")
        ->required();
    command->add_option("--to", options->folder, "Folder of the history; created if missing")
        ->type_name("DIR")
        ->required()
        ->check(not_empty);
    command
        ->add_option("--commit", options->commit,
                     "Commit that was measured, such as HEAD; the file's own if left out")
        ->type_name("REV")
        ->check(not_empty);
    add_repository_option(*command, options->repository,
                          "Repository of the commit; that of the working directory if left out");
    add_machine_option(*command, options->machine,
                       "Name of the machine; its GPU or processor if left out");
    command->add_flag("--dirty", options->dirty,
                      "Accept results of a tree with uncommitted changes, marked as such");
    command->footer(
        "Exit codes: 0 added or already there, 2 bad input, 3 the machine's earlier results come\n"
        "from other hardware, 5 the folder cannot be written.\n"
        "\n"
        "Examples:\n"
        "  camber history add camber-results.json --to history      commit as in the file\n"
        "  camber history add now.json --to history --commit HEAD   of the repository here");
    command->callback([&chosen, options] { chosen = [options] { return add(*options); }; });
}

void add_show(CLI::App& history, Action& chosen) {
    CLI::App* command = history.add_subcommand(
        "show", "Print each case over commits: deterministic quantities first, then times");
    auto options = std::make_shared<ShowOptions>();
    add_folder(*command, options->folder);
    add_repository_option(*command, options->repository, order_help);
    add_machine_option(*command, options->machine, "Show only this machine");
    command->add_option("--case", options->cases, "Show only cases whose names match")
        ->type_name("GLOB")
        ->capture_default_str();
    command->add_option("--last", options->last, "Show only the newest commits; 0: all")
        ->type_name("N")
        ->capture_default_str();
    command->add_flag("--all", options->all, "Show series without a judged change, too");
    command
        ->add_option("--threshold", options->threshold,
                     "Smaller changes of a time are not shown: 3% or 0.03")
        ->capture_default_str();
    command->add_option("--format", options->format, "How to print")
        ->type_name("TEXT:{table,json}")
        ->capture_default_str();
    command->footer(
        "camber report --history DIR -o report.html draws the same as a page.\n"
        "\n"
        "Examples:\n"
        "  camber history show history\n"
        "  camber history show history --case '*/halo/*' --all --repository .");
    command->callback([&chosen, options] { chosen = [options] { return show(*options); }; });
}

void add_gate(CLI::App& history, Action& chosen) {
    CLI::App* command = history.add_subcommand(
        "gate", "Judge the newest commit against the ones before it, as camber compare does");
    auto options = std::make_shared<GateCommandOptions>();
    add_folder(*command, options->folder);
    add_repository_option(
        *command, options->repository,
        "Repository whose history orders the commits; only ancestors are compared");
    add_machine_option(*command, options->machine, "Machine, if the history has several");
    command->add_option("--commit", options->commit, "Judge this commit instead of the newest one")
        ->type_name("REV")
        ->check(not_empty);
    command
        ->add_option("--last", options->last, "Number of commits before it whose times are pooled")
        ->type_name("N")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    command
        ->add_option("--against", options->against,
                     "Compare with this commit alone, such as the last release")
        ->type_name("REV")
        ->check(not_empty)
        ->excludes("--last");
    options->gate.add_to(*command);
    command->footer(
        "Deterministic quantities are compared with those of the newest earlier commit that has\n"
        "the case, times with the pooled processes of the last commits, from their last change\n"
        "point on. docs/compare.md has the rules of the verdicts.\n"
        "\n"
        "Exit codes: 0 no regression, 1 regression, 2 bad input, 3 nothing can be compared,\n"
        "4 a variant failed verification.\n"
        "\n"
        "Examples:\n"
        "  camber history gate history --only deterministic\n"
        "  camber history gate history --repository . --format markdown --out comment.md\n"
        "  camber history gate history --against v1.2    small losses add up");
    command->callback([&chosen, options] { chosen = [options] { return gate(*options); }; });
}

}  // namespace

void add_history_command(CLI::App& app, Action& chosen) {
    CLI::App* command =
        app.add_subcommand("history", "Results over commits: store, show and judge them");
    command->require_subcommand(1);
    add_add(*command, chosen);
    add_show(*command, chosen);
    add_gate(*command, chosen);
}

}  // namespace camber
