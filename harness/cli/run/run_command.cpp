#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/account_table.hpp"
#include "harness/cli/common/final_case.hpp"
#include "harness/cli/common/kernel_table.hpp"
#include "harness/cli/common/progress.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/common/table.hpp"
#include "harness/cli/run/processes.hpp"
#include "harness/results/merge.hpp"
#include "harness/results/results_file.hpp"
#include "harness/run/ceilings.hpp"
#include "harness/run/engine.hpp"
#include "harness/run/record.hpp"
#include "harness/static/kernel_code.hpp"

namespace camber {

namespace {

using Json = nlohmann::ordered_json;

std::string describe_start(const InitialConditions& initial) {
    if (!initial.input)
        return fmt::format("random, seed {}, density {}", initial.seed, initial.density);
    std::string text = (*initial.input / "").parent_path().filename().string();
    if (initial.tiles != Size{1, 1})
        text += fmt::format(" in {}x{} tiles", initial.tiles.columns, initial.tiles.rows);
    if (initial.added_density > 0)
        text += fmt::format(" with lava added, seed {}, density {}", initial.seed,
                            initial.added_density);
    return text;
}

std::string describe_run(const Study& study, const std::optional<DeviceInfo>& device) {
    return fmt::format("{} {}x{} ({} cells, {}), {} generations{}, {} on {}",
                       study.workload->name(), study.problem.size.columns, study.problem.size.rows,
                       info(study.problem.cell).name, describe_start(study.initial),
                       study.generations, study.from_start ? " in every sample" : "",
                       name(study.backend), device ? device->name : "this CPU");
}

// Throws when a file could not be written, which else would show after the whole run. Leaves no
// trace.
void check_writable(const std::filesystem::path& path) {
    namespace fs = std::filesystem;
    std::error_code ignored;                              // opening tells better
    if (fs::is_other(fs::status(path, ignored))) return;  // a pipe may wait for its reader
    const bool absent = !fs::exists(fs::symlink_status(path, ignored));
    errno = 0;
    if (!std::ofstream(path, std::ios::binary | std::ios::app))
        throw Error(
            ExitCode::unavailable,
            fmt::format("cannot write the final board \"{}\": {}; choose another --save file",
                        path.string(), std::strerror(errno)));
    if (absent) fs::remove(path, ignored);
}

// Both output files, before anything is computed for them.
void check_outputs(const RunOptions& options, const Workload& workload) {
    ResultsFile(options.out, nlohmann::ordered_json::object());  // writes nothing yet
    if (options.save.empty()) return;
    const auto normal = [](const std::string& path) {
        return std::filesystem::absolute(path).lexically_normal();
    };
    if (normal(options.save) == normal(options.out))
        throw Error(ExitCode::usage,
                    fmt::format("--save and --out both name {}: choose two files", options.out));
    workload.check_save_path(options.save);
    if (!workload.eruption()) check_writable(options.save);
}

Json sampling_context(const Study& study, const CaseRunner& runner) {
    return {{"order_seed", study.order_seed},
            {"rounds", study.rounds},
            {"processes", 1},
            {"seconds_per_sample", study.seconds_per_sample},
            {"event_pair_seconds", runner.event_pair_seconds()},
            {"relative_half_width", study.sampling.relative_half_width},
            {"budget_seconds", study.sampling.budget_seconds},
            {"maximum_samples", study.sampling.maximum_samples}};
}

// Measures all cases in this process; the results file then holds them.
void measure(const Study& study, CaseRunner& runner, const FinalState& final, int repetitions,
             const Ceilings& ceilings, ResultsFile& results, Progress& progress) {
    const int total = static_cast<int>(study.variants.size() * study.conditions.size()) *
                      repetitions * study.rounds;
    const std::string baseline = baseline_name(*study.workload, registry());
    int done = 0;
    EngineEvents events;
    events.starting = [&](const Case& chosen) {
        progress.show(done, total, case_name(study, chosen));
    };
    events.measured = [&](const CaseResult& result, int repetition, int round) {
        std::optional<Derived> derived;
        if (result.status == Status::ok && study.time) derived = derive(study, result, ceilings);
        const Json benchmark =
            record(study, result, derived, final, repetition, repetitions, round);
        results.amend([&](Json& document) {
            merge_benchmark(document, benchmark, study.sampling.seed);
            add_speedups(document, baseline);
        });
        ++done;
        for (const std::string& sentence : describe_differences(result)) {
            progress.clear();
            fmt::print(stderr, "camber: {}\n", sentence);
        }
    };
    events.aggregated = [&](const Aggregate& aggregate) { results.add(record(aggregate)); };
    run_cases(runner, events);
    progress.clear();
    for (const std::string& sentence : describe_failures(runner.instrument_failures()))
        fmt::print(stderr, "camber: {}\n", sentence);
}

// What a person reads, from the document that programs read.
void print_results(const Study& study, const std::optional<DeviceInfo>& device,
                   const Json& document) {
    fmt::print("{}\n{}{}", describe_run(study, device), ranking(document),
               kernels_of_fastest(document));
    const Json* passed = final_case(study, document);
    if (!passed) {
        fmt::print("no case passed: there is no final state\n");
        return;
    }
    const Json& final = (*passed)["camber"]["final"];
    const bool counted = final.contains("population");
    const Json account = final.value("account", Json::object());
    const std::string active = account.contains("active_share")
                                   ? fmt::format(", {:.2f} % of the cells active",
                                                 100 * account["active_share"].get<double>())
                                   : std::string();
    fmt::print("after {} generations{}: {} {}, checksum {}{}\n", study.generations,
               of_variant(*passed), counted ? "population" : "mass",
               final[counted ? "population" : "mass"].dump(), final["checksum"].get<std::string>(),
               active);
    const Json& context = document["context"]["camber"];
    fmt::print("{}", account_table(context.value("account", Json())));
}

// What is said of the files written.
void print_outputs(const RunOptions& options, const Json* saved) {
    if (saved && !options.save.empty())
        fmt::print("final state{}: {}\n", of_variant(*saved), options.save);
    fmt::print("results: {}\n", options.out);
}

int exit_code(const Json& document) {
    return static_cast<int>(cases_with(document, "failed") > 0 ? ExitCode::wrong_result
                                                               : ExitCode::success);
}

// The parent's part of a measurement in several processes.
int run_processes(const RunOptions& options, const Study& study,
                  const std::optional<DeviceInfo>& device, const CommandLine& command_line) {
    const std::string baseline = baseline_name(*study.workload, registry());
    Progress progress;
    std::optional<ResultsFile> results;
    for (int index = 0; index < options.processes; ++index) {
        progress.show(index, options.processes, "processes");
        const Json measured = run_process(command_line, index, study.order_seed);
        if (!results) {
            results.emplace(options.out, measured["context"]);
            results->amend([&](Json& document) {
                Json& camber = document["context"]["camber"];
                camber["command"] = command_line;
                camber["sampling"]["processes"] = options.processes;
            });
        }
        results->amend([&](Json& document) {
            for (const Json& benchmark : measured["benchmarks"])
                merge_benchmark(document, benchmark, study.sampling.seed);
            add_speedups(document, baseline);
        });
    }
    progress.clear();
    print_results(study, device, results->document());
    print_outputs(options, final_case(study, results->document()));
    return exit_code(results->document());
}

std::uint64_t new_seed() {
    std::random_device entropy;
    return entropy() & 0x7fffffff;
}

int run(RunOptions options, std::vector<std::string> engine_flags,
        const CommandLine& command_line) {
    const int repetitions = configure_engine(engine_flags);
    if (!engine_flags.empty())
        throw Error(ExitCode::usage, fmt::format("argument '{}' is unknown: see camber run --help",
                                                 engine_flags.front()));
    if (repetitions > 1 && (options.rounds > 1 || options.processes > 1))
        throw Error(ExitCode::usage,
                    "--benchmark_repetitions cannot be combined with --rounds or --processes: "
                    "choose one of the three");
    if (repetitions > 1) options.rounds = 1;
    if (!options.order_seed) options.order_seed = new_seed();
    const Study study = study_from(options);
    check_outputs(options, *study.workload);
    std::optional<DeviceInfo> device;
    if (study.backend == Backend::cuda)
        for (const DeviceInfo& candidate : cuda_devices())
            if (candidate.index == study.device) device = candidate;
    if (options.processes > 1) return run_processes(options, study, device, command_line);

    if (device)
        KernelCode::of_this_program().prepare(device->major, device->minor, study.variants.size());

    Progress progress;
    progress.show(0, static_cast<int>(study.variants.size()), "computing the reference");
    CaseRunner runner(study);
    const FinalState final = study.workload->final_state(runner.expected());
    runner.use(open_instruments(study));
    if (device)
        progress.show(0, static_cast<int>(study.variants.size()), "measuring the device's limits");
    const Ceilings ceilings = measure_ceilings(runner.queue(), device ? &*device : nullptr);
    // Before the first case is timed, so that no disassembler works beside it.
    KernelCode::of_this_program().wait();
    Json context = run_context(command_line, device ? &*device : nullptr, ceilings);
    if (study.time) context["camber"]["sampling"] = sampling_context(study, runner);
    if (const Json account = runner.ledger().to_json(); !account.is_null())
        context["camber"]["account"] = account;
    ResultsFile results(options.out, std::move(context));
    measure(study, runner, final, repetitions, ceilings, results, progress);
    const Json& document = results.document();
    // --benchmark_list_tests only names the cases.
    if (document["benchmarks"].empty()) return static_cast<int>(ExitCode::success);

    print_results(study, device, document);
    const Json* saved = study.process == 0 ? final_case(study, document) : nullptr;
    if (saved && !options.save.empty())
        study.workload->save(final_state_of(*saved, runner), options.save,
                             {study.initial, study.problem.parameters, study.generations,
                              fmt::format("camber: {}", describe_run(study, device))});
    print_outputs(options, saved);
    return exit_code(document);
}

}  // namespace

void add_run_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command = app.add_subcommand(
        "run", "Verify variants against the plain reference, time them, and rank them");
    auto options = std::make_shared<RunOptions>();
    options->add_to(*command);
    command->allow_extras();
    command->footer(
        "Every variant is verified on every cell before it is timed; a wrong one ends the run with "
        "exit code 4.\n"
        "Flags of Google Benchmark work as well: --benchmark_filter=REGEX, "
        "--benchmark_repetitions=N,\n"
        "--benchmark_enable_random_interleaving=true, --benchmark_list_tests=true.\n"
        "\n"
        "Examples:\n"
        "  camber run\n"
        "  camber run --variant 'halo/*' --variant 'shared_tile/64x4/*' --size 8192x8192\n"
        "  camber run --pattern gosper_glider_gun.rle --at 10,10 --size 200x100 "
        "--generations 120 --save gun.rle\n"
        "  camber run --counters memory --variant '*64x4*'\n"
        "  camber run --workload water_flow --compose best_levels=shared_tile/64x4/align128\n"
        "  camber run --backend cpu --size 2048x2048");
    command->callback([&chosen, command, options, &command_line] {
        chosen = [command, options, &command_line] {
            return run(*options, command->remaining(), command_line);
        };
    });
}

}  // namespace camber
