// Command `camber compare`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compare/comparison.hpp"
#include "analysis/compare/self_test.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/text.hpp"
#include "harness/cli/candidate/own_problem.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/common/terminal.hpp"
#include "harness/cli/compare/pages.hpp"
#include "harness/cli/model/baseline.hpp"
#include "harness/record/merge.hpp"

namespace camber {

namespace {

using namespace comparison;

struct CompareOptions {
    std::vector<std::string> files;
    bool self = false;
    std::string threshold = "3%";
    std::vector<std::string> allow;
    std::string only;
    std::string format = "table";
    std::string out;
    bool fail_on_undecided = false;
    std::uint64_t seed = 1;
    RunOptions kernels;  // candidates to model instead of reading NEW
    OwnProblemOptions own;
};

// Parses "3%", "3 %" or "0.03".
double threshold_from(const std::string& text) {
    std::string number = text;
    const bool percent = number.ends_with('%');
    if (percent) number.pop_back();
    while (number.ends_with(' ')) number.pop_back();
    double value = 0;
    const char* const end = number.data() + number.size();
    const auto [stop, failure] = std::from_chars(number.data(), end, value);
    if (percent) value /= 100;
    if (failure != std::errc() || stop != end || !(value > 0 && value < 1))
        throw Error(ExitCode::usage,
                    fmt::format("--threshold is '{}': give a share above 0 and below 1, such as 3% "
                                "or 0.03",
                                text));
    return value;
}

std::string one_of(const char* option, const std::string& given,
                   const std::vector<std::string>& known) {
    if (std::ranges::find(known, given) == known.end())
        throw Error(ExitCode::usage,
                    fmt::format("{} does not know '{}'{}; choose from {}", option, given,
                                suggestion(given, known), fmt::join(known, ", ")));
    return given;
}

Scope scope_from(const std::string& only) {
    if (only.empty()) return {};
    one_of("--only", only, {"model", "deterministic", "time"});
    if (only == "time") return {{}, true};
    if (only == "model") return {{QuantityFamily::model}, false};
    Scope scope;
    scope.times = false;
    return scope;
}

// Writes to the file, completely or not at all, or otherwise to standard output.
void deliver(const std::string& text, const CompareOptions& options) {
    if (!options.out.empty())
        AtomicFile(options.out, "report").replace(text);
    else if (options.format == "table")
        fmt::print("{}", text);
    else
        print_verbatim(text);
}

// Reads a file and merges repeated measurements of its cases.
results::Document read(const std::string& path) {
    results::Document document = results::read_document(path);
    say_incomplete(document);
    results::merge_repetitions(document);
    return document;
}

int run_self(const CompareOptions& options, const TimeRule& rule) {
    one_of("--format of --self", options.format, {"table", "json"});
    std::vector<results::Document> files;
    for (const std::string& path : options.files) files.push_back(read(path));
    const SelfTest test = self_test(files, rule);
    if (test.pairs.empty())
        throw Error(ExitCode::incomparable,
                    "no case has two processes, two visits or ten samples to split in halves: "
                    "measure with --processes 5 or more --rounds");
    deliver(options.format == "json" ? self_test_json(test) : self_test_table(test), options);
    if (!options.out.empty()) fmt::print("{}\n", test.summary());
    return static_cast<int>(ExitCode::success);
}

std::string page(const Comparison& comparison, const std::string& format) {
    if (format == "markdown") return comparison_markdown(comparison);
    if (format == "junit") return comparison_junit(comparison);
    if (format == "json") return comparison_json(comparison);
    return comparison_table(comparison);
}

Allowed allowed_from(const std::vector<std::string>& names) {
    std::vector<std::string> known(std::begin(allowances), std::end(allowances));
    known.emplace_back("all");
    for (const std::string& name : names) one_of("--allow", name, known);
    return Allowed(names);
}

bool all_by_simt(const results::Document& document) {
    return std::ranges::all_of(document.cases, [](const results::CaseRecord& record) {
        return record.identity.backend == Backend::simt;
    });
}

// Reason why none of the files' common cases can be compared, with a remedy.
std::string why_nothing(const results::Document& base, const results::Document& changed,
                        std::size_t pairs, const std::string& only) {
    const std::string common = fmt::format("{} and {} have {} case{} in common, but ", base.source,
                                           changed.source, pairs, pairs == 1 ? "" : "s");
    if (all_by_simt(base) && all_by_simt(changed))
        return common +
               "the simt backend checks kernels and measures nothing: compare two files of "
               "camber model --json, or of runs on a GPU";
    if (!only.empty())
        return fmt::format(
            "{}nothing of what --only {} compares: leave it out, or measure both "
            "with the same backend and --counters",
            common, only);
    return common +
           "no time and no deterministic quantity: measure both with the same backend and "
           "--counters";
}

// Models the candidates as `camber model --baseline` does.
results::Document read_candidates(const RunOptions& kernels, const OwnProblemOptions& own) {
    const std::string models = model_candidates(kernels, own);
    const TemporaryFolder folder("compare candidates");
    const std::filesystem::path file = folder.path() / "candidates.json";
    AtomicFile(file.string(), "model").replace(models);
    results::Document document = read(file.string());
    document.source = fmt::format("{}", fmt::join(kernels.candidates, " and "));
    return document;
}

Comparison comparison_of(const results::Document& before, const results::Document& after,
                         const comparison::GateRules& rules, const std::string& only) {
    try {
        Comparison comparison = comparison::compare(before, after, rules);
        if (!comparison.empty()) return comparison;
        throw Error(ExitCode::incomparable,
                    why_nothing(before, after, comparison.counts.pairs, only));
    } catch (const ConditionsDiffer& difference) {
        throw Error(difference.code(), fmt::format("{}, or give --allow {}", difference.what(),
                                                   difference.allowance()));
    }
}

int run(const CompareOptions& options) {
    check_files(named(options.files), {{"--out", options.out}});
    const TimeRule rule{threshold_from(options.threshold), options.seed};
    if (options.self && !options.kernels.candidates.empty())
        throw Error(ExitCode::usage,
                    "--self compares files with themselves, and --candidate is a kernel: leave out "
                    "one of the two");
    if (options.self) return run_self(options, rule);
    one_of("--format", options.format, {"table", "markdown", "json", "junit"});
    if (options.kernels.candidates.empty())
        for (const auto& [option, given] :
             {std::pair("--sweep sets what is in a kernel's file", !options.kernels.sweeps.empty()),
              std::pair("--reference says what a kernel computes", !options.own.reference.empty())})
            if (given)
                throw Error(ExitCode::usage, fmt::format("{}: name one with --candidate", option));
    const bool models = !options.kernels.candidates.empty();
    if (models && options.files.size() != 1)
        throw Error(ExitCode::usage,
                    fmt::format("with --candidate compare takes one results file, BASE, and {} are "
                                "given: leave out the others",
                                options.files.size()));
    if (!models && options.files.size() != 2)
        throw Error(
            ExitCode::usage,
            fmt::format("compare takes two results files, BASE and NEW, and {} given: name "
                        "both, or add --self",
                        options.files.size() == 1 ? "one is"
                                                  : fmt::format("{} are", options.files.size())));
    const comparison::GateRules rules{rule, allowed_from(options.allow), scope_from(options.only),
                                   options.fail_on_undecided};
    const results::Document base = read(options.files[0]);
    const Comparison comparison = comparison_of(
        base, models ? read_candidates(options.kernels, options.own) : read(options.files[1]),
        rules, options.only);
    deliver(page(comparison, options.format), options);
    if (!options.out.empty()) fmt::print("{}\n", comparison.summary());
    return static_cast<int>(comparison.exit_code());
}

}  // namespace

void add_compare_command(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand(
        "compare", "Say whether NEW is slower or costlier than BASE, for people and for CI");
    auto options = std::make_shared<CompareOptions>();
    command
        ->add_option("files", options->files,
                     "Results files: BASE and NEW; with --candidate BASE, with --self any")
        ->type_name("BASE NEW")
        ->required();
    options->kernels.add_candidates_to(*command);
    command
        ->add_option("--workload", options->kernels.workload,
                     "What a --candidate computes whose file does not say it")
        ->capture_default_str()
        ->check(not_empty);
    options->own.add_problem_to(*command);
    command->add_flag("--self", options->self,
                      "Compare halves of each case's own measurements: how many false alarms?");
    command
        ->add_option("--threshold", options->threshold,
                     "Effects up to this share are no verdict: 3% or 0.03")
        ->capture_default_str();
    command->add_option("--allow", options->allow,
                        fmt::format("What may differ between the files, repeatable: {}, all",
                                    fmt::join(allowances, ", ")));
    command->add_option("--only", options->only,
                        "Compare only: model (predicted transactions), deterministic (these, and "
                        "registers, memory, instructions, counters), or time");
    command->add_option("--format", options->format, "How to print")
        ->type_name("TEXT:{table,markdown,json,junit}")
        ->capture_default_str();
    command->add_option("--out", options->out, "Write to this file; the summary is printed")
        ->type_name("FILE")
        ->check(is_file_name);
    command->add_flag("--fail-on-undecided", options->fail_on_undecided,
                      "UNDECIDED ends with exit code 1 too");
    command->add_option("--seed", options->seed, "Seed of the bootstrap")
        ->capture_default_str()
        ->check(is_seed);
    command->footer(
        "Verdicts are SAME, FASTER, SLOWER and UNDECIDED; docs/compare.md has the rule. Files of\n"
        "camber run, camber model --json and Google Benchmark are read. A --candidate is modelled\n"
        "as by camber model --baseline, and stands in the place of NEW.\n"
        "\n"
        "Exit codes: 0 no regression, 1 regression, 2 bad input, 3 the files cannot be compared,\n"
        "4 a variant failed verification.\n"
        "\n"
        "Examples:\n"
        "  camber compare base.json new.json\n"
        "  camber compare base.json new.json --format markdown --out comment.md\n"
        "  camber compare base.json new.json --only deterministic   no clock involved\n"
        "  camber compare base.json --candidate kernels             kernels of your own, gated\n"
        "  camber compare --self base.json                          which threshold is safe?");
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace camber
