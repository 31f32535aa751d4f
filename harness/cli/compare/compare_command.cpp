// Command `camber compare`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "analysis/compare/code_comparison.hpp"
#include "analysis/compare/comparison.hpp"
#include "analysis/compare/self_test.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/cli/candidate/own_problem.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/compare/gate_options.hpp"
#include "harness/cli/compare/pages.hpp"
#include "harness/cli/inspect/inspected.hpp"
#include "harness/cli/model/baseline.hpp"
#include "harness/record/merge.hpp"

namespace camber {

// Compares the results files of two folders by name, in folders.cpp.
int compare_folders(const std::string& base, const std::string& changed, const GateOptions& gate);

namespace {

using namespace comparison;

struct CompareOptions {
    std::vector<std::string> files;
    bool self = false;
    GateOptions gate;
    std::vector<std::string> only_kernels;  // of compiled code
    RunOptions kernels;                     // candidates to model instead of reading NEW
    OwnProblemOptions own;
};

// Reads a file and merges repeated measurements of its cases.
results::Document read(const std::string& path) {
    results::Document document = results::read_document(path);
    say_incomplete(document);
    results::merge_repetitions(document);
    return document;
}

int run_self(const CompareOptions& options, const TimeRule& rule) {
    one_of("--format of --self", options.gate.format, {"table", "json"});
    std::vector<results::Document> files;
    for (const std::string& path : options.files) files.push_back(read(path));
    const SelfTest test = self_test(files, rule);
    if (test.pairs.empty())
        throw Error(ExitCode::incomparable,
                    "no case has two processes, two visits or ten samples to split in halves: "
                    "measure with --processes 5 or more --rounds");
    options.gate.deliver(options.gate.format == "json" ? self_test_json(test)
                                                       : self_test_table(test));
    if (!options.gate.out.empty()) fmt::print("{}\n", test.summary());
    return static_cast<int>(ExitCode::success);
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

// Compares compiled code, or inspections of it.
int run_code(const CompareOptions& options) {
    const Allowed allowed = allowed_from(options.gate.allow, code_allowances);
    for (const auto& [option, given] :
         {std::pair("--candidate", !options.kernels.candidates.empty()),
          std::pair("--self", options.self), std::pair("--only", !options.gate.only.empty())})
        if (given)
            throw Error(ExitCode::usage,
                        fmt::format("{} is for results files, and \"{}\" is compiled code: leave "
                                    "it out",
                                    option, options.files.front()));
    for (const std::string& file : options.files)
        if (std::filesystem::exists(file) && !is_inspectable(file))
            throw Error(ExitCode::usage,
                        fmt::format("\"{}\" is no compiled code, and the other file is: give two "
                                    "programs, libraries or object files, or files of camber "
                                    "inspect --format json",
                                    file));
    const KernelChoice choice{.kernels = options.only_kernels, .architectures = {}};
    const CodeComparison comparison =
        compare_code(inspected(options.files[0], choice), inspected(options.files[1], choice),
                     allowed, options.gate.fail_on_undecided);
    const std::string& format = options.gate.format;
    options.gate.deliver(format == "markdown" ? code_comparison_markdown(comparison)
                         : format == "junit"  ? code_comparison_junit(comparison)
                         : format == "json"   ? code_comparison_json(comparison)
                                              : code_comparison_table(comparison));
    if (!options.gate.out.empty()) fmt::print("{}\n", comparison.summary());
    return static_cast<int>(comparison.exit_code());
}

int run(const CompareOptions& options) {
    check_files(named(options.files), {{"--out", options.gate.out}});
    if (options.files.size() == 2 && std::ranges::any_of(options.files, is_inspectable)) {
        options.gate.check_format();
        return run_code(options);
    }
    if (!options.only_kernels.empty())
        throw Error(ExitCode::usage,
                    "--kernel chooses kernels in compiled code, and these are results files: leave "
                    "it out");
    const TimeRule rule = options.gate.time_rule();
    if (options.self && !options.kernels.candidates.empty())
        throw Error(ExitCode::usage,
                    "--self compares files with themselves, and --candidate is a kernel: leave out "
                    "one of the two");
    if (options.self) return run_self(options, rule);
    options.gate.check_format();
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
    const auto folders = std::ranges::count_if(options.files, [](const std::string& path) {
        return std::filesystem::is_directory(found_file(path));
    });
    if (folders == 2 && !models)
        return compare_folders(options.files[0], options.files[1], options.gate);
    if (folders == 1 && !models)
        throw Error(
            ExitCode::usage,
            fmt::format("of \"{}\" and \"{}\" only one is a folder: give two folders or two "
                        "files",
                        options.files[0], options.files[1]));
    const comparison::GateRules rules = options.gate.rules();
    const results::Document base = read(options.files[0]);
    const Comparison comparison = comparison_of(
        base, models ? read_candidates(options.kernels, options.own) : read(options.files[1]),
        rules, options.gate.only);
    options.gate.deliver(comparison);
    return static_cast<int>(comparison.exit_code());
}

}  // namespace

void add_compare_command(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand(
        "compare", "Say whether NEW is slower or costlier than BASE, for people and for CI");
    auto options = std::make_shared<CompareOptions>();
    command
        ->add_option("files", options->files,
                     "Results files, folders of them, or compiled code: BASE and NEW; with "
                     "--candidate BASE, with "
                     "--self any")
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
    options->gate.add_to(*command);
    command->add_option("--kernel", options->only_kernels,
                        fmt::format("In compiled code, compare only kernels that match this glob, "
                                    "repeatable; --allow takes {}, all there",
                                    fmt::join(code_allowances, ", ")));
    command->footer(
        "Verdicts are SAME, FASTER, SLOWER and UNDECIDED; docs/compare.md has the rule. Files of\n"
        "camber run, camber model --json and Google Benchmark are read. A --candidate is modelled\n"
        "as by camber model --baseline, and stands in the place of NEW.\n"
        "In two folders, such as campaigns on one card, files of the same name are compared, and\n"
        "all slower cases are listed.\n"
        "Compiled code (programs, libraries, object files, cubins, files of camber inspect) is\n"
        "compared kernel by kernel: registers, local memory, occupancy and a hash of the code.\n"
        "\n"
        "Exit codes: 0 no regression, 1 regression, 2 bad input, 3 the files cannot be compared,\n"
        "4 a variant failed verification.\n"
        "\n"
        "Examples:\n"
        "  camber compare base.json new.json\n"
        "  camber compare base.json new.json --format markdown --out comment.md\n"
        "  camber compare base.json new.json --only deterministic   no clock involved\n"
        "  camber compare base.json --candidate kernels             kernels of your own, gated\n"
        "  camber compare results/h200 my-gpu --only time           two campaigns\n"
        "  camber compare old/libfft.so new/libfft.so               compiled code, without a GPU\n"
        "  camber compare --self base.json                          which threshold is safe?");
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace camber
