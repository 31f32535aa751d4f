#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/cli/check/check.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/candidates.hpp"
#include "harness/cli/common/checks.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/common/table.hpp"
#include "harness/cli/common/terminal.hpp"
#include "harness/cli/compare/verdicts.hpp"
#include "harness/cli/model/model.hpp"
#include "harness/cli/try/device_builds.hpp"
#include "harness/cli/try/measuring.hpp"
#include "harness/cli/try/own_problem.hpp"
#include "harness/cli/try/search.hpp"
#include "harness/cli/try/starting_points.hpp"
#include "harness/cli/try/watch.hpp"
#include "harness/results/results_file.hpp"

namespace camber {

namespace {

struct Options {
    RunOptions run;
    std::vector<std::string> files;
    std::vector<std::string> against;  // globs
    std::string ceilings;              // a file with a device's limits, for --sweep
    OwnProblemOptions own;             // in the place of a workload
    std::string architecture;          // to compile for without such a GPU
    bool watch = false;
    std::string start;  // workload of the starting point to print
};

int print_start(const std::string& workload) {
    std::vector<std::string_view> names;
    for (const StartingPoint& point : starting_points()) {
        if (point.workload == workload) {
            print_verbatim(std::string(point.text));
            return static_cast<int>(ExitCode::success);
        }
        names.push_back(point.workload);
    }
    throw Error(ExitCode::usage, fmt::format("--new has no kernel for '{}': choose {}", workload,
                                             fmt::join(names, " or ")));
}

// Every cell against the reference and, on a GPU, times.
results::Document measure(const Options& options, const CommandLine& command_line) {
    results::ResultsFile results;
    std::optional<results::ResultsFile> file;
    if (options.run.out) file.emplace(*options.run.out);
    const Study study = study_from(options.run);
    measure_study(study, options.run, file ? *file : results, command_line);
    if (file) fmt::print("results: {}\n", *options.run.out);
    return file ? file->document() : results.document();
}

// Why nothing of the document ran; "" where something did.
std::string why_nothing_ran(const results::Document& document) {
    for (const results::CaseRecord& record : document.cases)
        if (record.status != results::Status::skipped) return "";
    return document.cases.empty() ? "there is no case" : document.cases.front().reason;
}

// With what the candidates are compared with: other variants, and the kernel that defines the
// problem.
Options with_others(Options options) {
    options.run.variants = options.against;
    const std::string& reference = options.own.reference;
    if (!reference.empty() && std::ranges::find(options.files, reference) == options.files.end())
        options.run.candidates.push_back(reference);
    return options;
}

// Those of the candidates that the executor can run.
RunOptions on_executor(RunOptions run) {
    std::erase_if(run.candidates,
                  [](const std::string& file) { return kind_of(file) == FileKind::library; });
    return run;
}

// On a board that the kernel takes.
results::Document measure_somewhere(Options options, const CommandLine& command_line) {
    // Most blocks divide it.
    constexpr const char* even_size = "768x48";
    results::Document document = measure(options, command_line);
    if (options.run.size.empty() && !why_nothing_ran(document).empty()) {
        options.run.size = even_size;
        fmt::print("\n");
        document = measure(options, command_line);
    }
    if (const std::string why = why_nothing_ran(document); !why.empty())
        throw Error(
            ExitCode::usage,
            fmt::format("nothing was verified, because the kernel {}: give another --size", why));
    return document;
}

// The candidates' predictions, line by line, and beside the others'.
void model(const Options& options, const CommandLine& command_line) {
    fmt::print("\n== What it asks of memory, by the model\n");
    std::fflush(stdout);
    RunOptions model = on_executor(options.run);
    model.input.clear();
    model.variants.clear();
    run_model(model, command_line);
    if (options.against.empty() && options.own.reference.empty()) return;
    fmt::print("\n== Beside the others, by the model\n");
    model = on_executor(with_others(options).run);
    model.input.clear();
    run_model(model, command_line);
}

void write_results_of(const Options& options) {
    if (options.own.output.empty()) return;
    const Study study = study_from(options.run);
    write_result(study, *study.variants.front(), options.own.output);
    fmt::print("\nresult: {}\n", options.own.output);
}

// The workload of the files, of --workload or of --reference.
void choose_workload(Options& options) {
    // What is wrong with the files alone comes first.
    std::string said;
    for (const std::string& path : options.files)
        for (const auto& file : kernel_files(path))
            if (const std::string own = workload_said_by(file); said.empty()) said = own;
    take_own_problem(options.own, options.run);
    if (options.run.workload.empty()) options.run.workload = said;
    if (options.run.workload.empty())
        throw Error(ExitCode::usage,
                    "--workload is required: name what the kernel computes, such as --workload "
                    "blur, or in the file by a line // camber: workload blur; or give --reference, "
                    "a kernel that computes it");
}

int run(Options options, const CommandLine& command_line) {
    if (!options.start.empty()) return print_start(options.start);
    if (options.files.empty())
        throw Error(ExitCode::usage,
                    "FILE is required: give a kernel's file, or --new WORKLOAD for one to begin "
                    "with");
    check_files({}, {{"--out-npy", options.own.output}});
    choose_workload(options);
    options.run.candidates = options.files;
    if (options.watch) {
        if (!options.run.sweeps.empty() || options.run.out || !options.against.empty())
            throw Error(ExitCode::usage,
                        "--watch prints one kernel's changes: leave out --sweep, --against and "
                        "--out");
        return run_watch(options.run, options.own.reference);
    }
    if (!options.run.sweeps.empty()) return run_search(options.run, options.ceilings, command_line);

    print_device_builds(options.run, options.architecture);
    fmt::print("== Every cell against the reference\n");
    const results::Document document = measure_somewhere(with_others(options), command_line);
    if (!all_passed(document)) return static_cast<int>(ExitCode::wrong_result);
    if (stopping()) return static_cast<int>(ExitCode::success);  // main() ends by the signal

    const RunOptions on_host = on_executor(options.run);
    int checked = static_cast<int>(ExitCode::success);
    if (on_host.candidates.size() < options.run.candidates.size())
        fmt::print(
            "\nA library runs on a GPU alone: camber cannot look for its races or predict its "
            "memory traffic\n");
    if (!on_host.candidates.empty()) {
        fmt::print("\n== Races, bounds, reads of unwritten memory (on the executor)\n");
        std::fflush(stdout);
        checked = run_check(small_for_check(on_host));
        model(options, command_line);
    }

    const std::vector<std::string> names = candidate_names(options.run);
    if (const std::string verdicts = verdict_lines(document, names); !verdicts.empty())
        fmt::print("\n== Times\n{}", verdicts);
    write_results_of(options);
    return checked;
}

}  // namespace

void add_try_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command = app.add_subcommand(
        "try",
        "Try a kernel of your own, from a file: verify, check, predict, time and compare it");
    auto options = std::make_shared<Options>();
    RunOptions& run_options = options->run;
    run_options.workload.clear();
    command
        ->add_option("file", options->files,
                     "Kernels, each in a file: of CUDA C++, a technique or a library")
        ->type_name("FILE")
        ->check(not_empty);
    command
        ->add_option("--workload", run_options.workload,
                     "What it computes (default: what the file says)")
        ->check(not_empty);
    command
        ->add_option("--against", options->against,
                     "A variant to compare it with; globs such as 'halo/*'; repeatable")
        ->type_name("VARIANT")
        ->allow_extra_args(false)
        ->check(not_empty);
    command
        ->add_option("--new", options->start,
                     "Print a plain kernel for this workload, to begin with, and nothing else")
        ->type_name("WORKLOAD")
        ->check(not_empty);
    command
        ->add_option("--backend", run_options.backend,
                     "auto, cuda or simt; auto takes cuda where a device is usable, else simt")
        ->capture_default_str();
    command
        ->add_option("--size", run_options.size,
                     "Board as COLUMNSxROWS (default: that of camber run, and 2048x2048 for the "
                     "model)")
        ->check(not_empty);
    command->add_option("--generations", run_options.generations, "Generations of the verified run")
        ->check(CLI::Range(1, 1 << 30));
    command
        ->add_option("--boundary", run_options.boundary, "Beyond the edge: dead cells, or a torus")
        ->check(not_empty);
    command
        ->add_option("--cell", run_options.cell,
                     "Element type of a cell (life: uint32 or uint8; larger_than_life: uint8)")
        ->check(not_empty);
    run_options.add_rule_to(*command);
    run_options.add_parameters_to(*command);
    command
        ->add_option("--arch", options->architecture,
                     "Also compile for this GPU, such as sm_90, without having one, to see "
                     "registers and spills (default: the GPU in use)")
        ->check(not_empty);
    command->add_flag("--watch", options->watch,
                      "Measure again whenever the file is saved, and print the change against the "
                      "version before; Ctrl-C ends it");
    run_options.add_seed_to(*command);
    options->own.add_to(*command);
    run_options.add_sweeps_to(*command);
    command
        ->add_option("--ceilings", options->ceilings,
                     "With --sweep: skip combinations that the ceilings of this device dominate: a "
                     "card (h100, h200), or a file of camber ceilings --json or of camber run "
                     "(default: the GPU in use)")
        ->type_name("CARD|FILE")
        ->check(not_empty);
    run_options.add_timeout_to(*command);
    command->add_option("--device", run_options.device, "CUDA device by index")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    command
        ->add_option("--out", run_options.out,
                     "Also write the results to this file (default with --sweep: "
                     "camber-sweep.json)")
        ->type_name("FILE")
        ->check(is_file_name);
    command->footer(
        "The file is plain CUDA C++, with a comment that says how its kernel is launched:\n"
        "\n"
        "  // camber: step(in, out, columns, rows, pitch) block=32x8 halo=1 align=128\n"
        "\n"
        "Arguments, in order: in and out (in.FIELD, out.FIELD; inout.FIELD for cells changed in\n"
        "place; tex2d, tex1d), columns, rows, pitch (pitch.FIELD), halo, generation, numbers, and\n"
        "the workload's parameters by name. Then block=, and as needed cells= (per thread),\n"
        "region= (cells per block), halo=, align= (bytes), generations= (per launch), shared=\n"
        "(dynamic, bytes), overhang=no (blocks divide the board), cooperative=yes (blocks wait "
        "for\n"
        "each other), constant=ARRAY:NUMBERS, arithmetic= (canonical, reordered, unordered).\n"
        "Several such lines are several kernels, in order. '// camber: field NAME TYPE\n"
        "outside=NUMBER' adds a field, '// camber: workload NAME' says what the kernels compute.\n"
        "\n"
        "NAME.hpp is a technique, written as those in camber's folder variants/techniques/.\n"
        "NAME.so is a shared library that launches its kernel on a GPU (camber/launch.h).\n"
        "\n"
        "It runs the file's code, with your rights. camber run, check, model, profile, scale and\n"
        "compare take the same file by --candidate.\n"
        "\n"
        "Examples:\n"
        "  camber try --new blur > blur.cu\n"
        "  camber try blur.cu --workload blur --against packed/64x4/v4/align128\n"
        "  camber try fast.cu --reference plain.cu --input a.npy,b.npy --out-npy c.npy\n"
        "  camber try blur.cu --workload blur --sweep block=32x4,64x4 --sweep UNROLL=1,2,4\n"
        "  camber run --candidate blur.cu --workload blur --variant 'halo/*'");
    command->callback([&chosen, &command_line, options] {
        chosen = [&command_line, options] { return run(*options, command_line); };
    });
}

}  // namespace camber
