// Command `camber try`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/capture/capture_folder.hpp"
#include "harness/capture/replay/worker.hpp"
#include "harness/cli/candidate/candidates.hpp"
#include "harness/cli/candidate/own_problem.hpp"
#include "harness/cli/check/check_command.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/compare/wording.hpp"
#include "harness/cli/model/modelling.hpp"
#include "harness/cli/try/captured_run.hpp"
#include "harness/cli/try/measuring.hpp"
#include "harness/cli/try/search.hpp"
#include "harness/cli/try/starting_points.hpp"
#include "harness/measure/session.hpp"
#include "harness/record/document.hpp"

namespace camber {

namespace {

struct TryOptions {
    RunOptions run;
    std::vector<std::string> files;
    std::vector<std::string> against;  // globs
    std::string ceilings;              // file with a device's ceilings, for --sweep
    OwnProblemOptions own;             // defines a problem instead of a workload
    std::string architecture;          // architecture to compile for if no such GPU is present
    bool watch = false;
    std::string start;  // workload whose starting point is printed
    std::vector<std::string> candidates;  // for a captured launch
    bool memcheck = false;                // the same
    bool trim = false;                    // the same
    std::string replay_job;               // of a process that replays a launch
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

// Adds the variants that candidates are compared with, and the kernel that defines the problem.
TryOptions with_others(TryOptions options) {
    options.run.variants = options.against;
    const std::string& reference = options.own.reference;
    const bool is_kernel = !reference.empty() && kind_of(reference) == FileKind::kernel;
    if (is_kernel && std::ranges::find(options.files, reference) == options.files.end())
        options.run.candidates.push_back(reference);
    return options;
}

// Measures on a second board if the kernel does not accept the first. The last measurement is of a
// board that it accepts.
std::vector<MeasuredStudy> measure_somewhere(const TryOptions& asked, const CommandLine& command_line) {
    TryOptions options = with_others(asked);
    // Divisible by most block shapes.
    constexpr const char* even_size = "768x48";
    std::vector<MeasuredStudy> all{measure_candidates(options.run, command_line)};
    if (options.run.size.empty() && !why_nothing_ran(all.back(), asked.run).empty()) {
        options.run.size = even_size;
        all.push_back(measure_candidates(options.run, command_line));
    }
    if (const std::string why = why_nothing_ran(all.back(), asked.run); !why.empty()) {
        print_measured(all, options.run);
        throw Error(
            ExitCode::usage,
            fmt::format("nothing was verified, because the kernel {}: give another --size", why));
    }
    return all;
}

// Prints the candidates' predictions by call site, and compares them with the others'.
void model(const TryOptions& options, const CommandLine& command_line) {
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

void write_results_of(const TryOptions& options) {
    if (options.own.output.empty()) return;
    const Study study = study_from(options.run);
    write_result(study, *study.variants.front(), options.own.output);
    fmt::print("\nresult: {}\n", options.own.output);
}

// Throws Error(usage) if nothing says what the kernels compute.
void require_workload(const TryOptions& options) {
    if (options.run.workload.empty())
        throw Error(ExitCode::usage,
                    "--workload is required: name what the kernel computes, such as --workload "
                    "blur, or in the file by a line // camber: workload blur; or give --reference, "
                    "a kernel that computes it");
}

// Checks for races on boards like the verified one; returns the exit code.
int check_candidates(const RunOptions& on_host, const Study& verified) {
    fmt::print("== Races, bounds, reads of unwritten memory (on the executor)\n");
    std::fflush(stdout);
    return run_checks(
        checks_after(on_host, verified.problem.size, regions_of_candidates(verified)));
}

// Prints the cause first, then its consequences.
int explain_failure(const TryOptions& options, const std::vector<MeasuredStudy>& measured,
                    const CommandLine& command_line) {
    const RunOptions on_host = on_executor(options.run);
    if (on_host.candidates.empty() || has_timed_out(measured.back().document)) {
        print_measured(measured, options.run);
        return static_cast<int>(ExitCode::wrong_result);
    }
    bool found = false;
    try {
        found = check_candidates(on_host, measured.back().study) != 0;
    } catch (const Error& error) {
        fmt::print("not checked: {}\n", error.what());
    }
    fmt::print("\n");
    print_measured(measured, options.run);
    if (found)
        fmt::print(
            "the findings above can be the cause of this: where two threads race, a "
            "__syncthreads() may be missing\n");
    try {
        model(options, command_line);
    } catch (const Error& error) {
        fmt::print("no prediction: {}\n", error.what());
    }
    return static_cast<int>(ExitCode::wrong_result);
}

int run(TryOptions options, const CommandLine& command_line) {
    if (!options.replay_job.empty()) return capture::run_worker(options.replay_job);
    if (!options.start.empty()) return print_start(options.start);
    if (!options.files.empty() && capture::is_capture(options.files.front()))
        return try_folder({options.files, options.candidates, options.run, options.own.tolerance,
                           options.ceilings, options.watch, options.memcheck, options.trim},
                          command_line);
    if (!options.candidates.empty())
        throw Error(ExitCode::usage,
                    "--candidate belongs to a captured launch: give its folder as FILE, or the "
                    "candidate itself");
    if (options.trim)
        throw Error(ExitCode::usage,
                    "--trim belongs to a captured launch: give its folder as FILE");
    if (options.memcheck)
        throw Error(ExitCode::usage,
                    "--memcheck belongs to a captured launch: give its folder as FILE; camber check "
                    "looks for invalid accesses of other kernels");
    if (options.files.empty())
        throw Error(ExitCode::usage,
                    "FILE is required: give a kernel's file, or --new WORKLOAD for one to begin "
                    "with");
    check_files({}, {{"--out-npy", options.own.output}});
    options.run.candidates = options.files;
    if (options.watch && !wait_after_restart(options.files.front()))
        return static_cast<int>(ExitCode::success);
    choose_problem(options.own, !options.run.workload.empty(), options.run);
    require_workload(options);
    if (options.watch) {
        if (!options.run.sweeps.empty() || options.run.out || !options.against.empty())
            throw Error(ExitCode::usage,
                        "--watch prints one kernel's changes: leave out --sweep, --against and "
                        "--out");
        return run_watch(options.run, options.own.reference);
    }
    if (!options.run.sweeps.empty()) return run_search(options.run, options.ceilings, command_line);

    print_device_builds(options.run, options.architecture);
    const std::vector<MeasuredStudy> measured = measure_somewhere(options, command_line);
    const results::Document& document = measured.back().document;
    if (!all_passed(document)) return explain_failure(options, measured, command_line);
    print_measured(measured, options.run);
    if (stopping()) return static_cast<int>(ExitCode::success);  // main() ends by the signal

    const RunOptions on_host = on_executor(options.run);
    int checked = static_cast<int>(ExitCode::success);
    for (const std::string& file : options.run.candidates)
        if (const std::string why = only_on_gpu(options.run, file); !why.empty())
            fmt::print(
                "\n{}: verified on the GPU, but not checked for races and accesses out of bounds, "
                "and without a prediction, because {}\n",
                file, why);
    if (!on_host.candidates.empty()) {
        fmt::print("\n");
        checked = check_candidates(on_host, measured.back().study);
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
    auto options = std::make_shared<TryOptions>();
    RunOptions& run_options = options->run;
    run_options.workload.clear();
    command
        ->add_option("file", options->files,
                     "Kernels, each in a file: of CUDA C++, a technique or a library; or the folder "
                     "of a captured launch")
        ->type_name("FILE")
        ->check(not_empty);
    command
        ->add_option("--candidate", options->candidates,
                     "With a captured launch: a kernel with its parameters, in CUDA C++ or as a "
                     "cubin; repeatable")
        ->type_name("KERNEL")
        ->allow_extra_args(false)
        ->check(not_empty);
    command->add_flag("--memcheck", options->memcheck,
                      "With a captured launch: also run its kernels under compute-sanitizer");
    command->add_flag("--trim", options->trim,
                      "With a captured launch: make its folder smaller, by zeros for memory that the "
                      "kernel does not use");
    command->add_option("--replay-worker", options->replay_job)->group("");
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
    run_options.add_cell_to(*command, 8);
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
    run_options.add_settings_to(*command);
    command
        ->add_option("--ceilings", options->ceilings,
                     "With --sweep: skip combinations that the ceilings of this device dominate: a "
                     "card (h100, h200), or a file of camber ceilings --json or of camber run "
                     "(default: the GPU in use)")
        ->type_name("CARD|FILE")
        ->check(not_empty);
    run_options.add_timeout_to(*command);
    command
        ->add_option("--counters", run_options.counters,
                     "Also read hardware counters on a GPU, beside the predicted ones or of a "
                     "captured launch: memory, "
                     "shared, compute, all")
        ->check(not_empty);
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
        "place; tex2d, tex1d), columns, rows, pitch (pitch.FIELD), halo, generation, constants, "
        "the\n"
        "workload's parameters by name, and expressions such as columns*rows. Then block= (256 is\n"
        "256x1), and as needed grid= (blocks; else as many as cover the board), cells= (per "
        "thread),\n"
        "region= (cells per block), halo=, align= (bytes), generations= (per launch), shared=\n"
        "(dynamic, bytes), overhang=yes (works on any board) or no (blocks divide the board),\n"
        "out=zeros or out=copy (what outputs hold before a launch), cooperative=yes (blocks wait "
        "for\n"
        "each other), constant=ARRAY:NUMBERS, arithmetic= (canonical, reordered, unordered).\n"
        "Several such lines are several kernels, in order. '// camber: field NAME TYPE\n"
        "outside=NUMBER' adds a field, '// camber: shape u=64x64x64' makes the problem arrays (in.u,\n"
        "count.u, shape.u[0]), '// camber: workload NAME' or '// camber: reference FILE'\n"
        "says what the kernels compute, '// camber: size COLUMNSxROWS' for which board alone.\n"
        "main(), launches and other code of the host may stand in the file; they are left out.\n"
        "\n"
        "Races are looked for on the verified board, or on the largest one with the same "
        "remainders\n"
        "that does not take too long. With overhang=yes a second board is checked: 70x50, or "
        "768x48\n"
        "if blocks do not divide the first.\n"
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
        "  camber try fast.cu --input x=x.npy --expect y=y.npy --compare y=ulp:4\n"
        "  camber try wrapper.cu -I ../application -D N=512 --set block=64x4\n"
        "  camber try blur.cu --workload blur --sweep block=32x4,64x4 --sweep UNROLL=1,2,4\n"
        "  camber try pool --candidate faster.cu  (pool: a folder of camber capture)\n"
        "  camber run --candidate blur.cu --workload blur --variant 'halo/*'");
    command->callback([&chosen, &command_line, options] {
        chosen = [&command_line, options] { return run(*options, command_line); };
    });
}

}  // namespace camber
