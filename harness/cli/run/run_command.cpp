#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <random>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/account_table.hpp"
#include "harness/cli/common/duration.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/final_case.hpp"
#include "harness/cli/common/kernel_table.hpp"
#include "harness/cli/common/measured_row.hpp"
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/common/stopped.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/common/table.hpp"
#include "harness/cli/common/terminal.hpp"
#include "harness/cli/run/forecast.hpp"
#include "harness/cli/run/processes.hpp"
#include "harness/cli/run/resume.hpp"
#include "harness/environment/host.hpp"
#include "harness/results/derive.hpp"
#include "harness/results/merge.hpp"
#include "harness/results/results_file.hpp"
#include "harness/run/context.hpp"
#include "harness/run/engine.hpp"
#include "harness/run/session.hpp"

namespace camber {

namespace {

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
    return fmt::format("{} {}x{} ({} cells, {}), {} generation{}{}, {} on {}",
                       study.workload->name(), study.problem.size.columns, study.problem.size.rows,
                       info(study.problem.cell).name, describe_start(study.initial),
                       study.generations, study.generations == 1 ? "" : "s",
                       study.from_start ? " in every sample" : "", name(study.backend),
                       device ? device->name : "this CPU");
}

std::string results_path(const RunOptions& options) {
    return options.out.value_or(default_results);
}

// Both output files, before anything is computed for them; gives the one of the results.
std::unique_ptr<results::ResultsFile> checked_outputs(const RunOptions& options,
                                                      const Workload& workload) {
    using Existing = results::ResultsFile::Existing;
    check_files({{"--input", options.input}},
                {{"--out", results_path(options)}, {"--save", options.save}});
    auto results = std::make_unique<results::ResultsFile>(
        results_path(options), options.out || options.resume ? Existing::replaced : Existing::kept);
    if (options.save.empty()) return results;
    workload.check_save_path(options.save);
    // Else it would show after the whole run.
    if (!workload.eruption()) check_new_file(options.save, "final board");
    return results;
}

// As programs print numbers: whole ones without a point, others with all their digits.
std::string amount_of(const FinalState& final) {
    return final.quantity == "population" ? fmt::format("{:.0f}", final.amount)
                                          : results::number_text(final.amount);
}

// What a person reads, from the document that programs read.
void print_results(const Study& study, const std::optional<DeviceInfo>& device,
                   const results::Document& document, const std::string& sort) {
    fmt::print("{}\n{}{}", describe_run(study, device), ranking(document, sort),
               kernels_of_fastest(document));
    const results::CaseRecord* passed = final_case(study, document);
    if (!passed) {
        fmt::print("no case passed: there is no final state\n");
        return;
    }
    const FinalState& final = *passed->final;
    const auto share = final.account.find("active_share");
    const std::string active =
        share != final.account.end()
            ? fmt::format(", {:.2f} % of the cells active", 100 * share->second)
            : std::string();
    fmt::print("after {} generation{}{}: {} {}, checksum 0x{:016x}{}\n", study.generations,
               study.generations == 1 ? "" : "s", of_variant(*passed), final.quantity,
               amount_of(final), final.checksum, active);
    fmt::print("{}", account_table(document.context.run->account));
}

// What is said of the files written.
void print_outputs(const RunOptions& options, const Study& study,
                   const results::ResultsFile& results, const results::CaseRecord* saved) {
    const auto& wall = results.document().context.run->wall;
    if (study.time && wall) fmt::print("{}\n", line_of(*wall));
    if (saved && !options.save.empty())
        fmt::print("final state{}: {}\n", of_variant(*saved), options.save);
    if (results.kept())
        fmt::print("the earlier {} is kept as {}\n", results_path(options),
                   results.kept()->string());
    fmt::print("results: {}\n", results_path(options));
}

int exit_code(const results::Document& document) {
    return static_cast<int>(cases_with(document, results::Status::failed) > 0
                                ? ExitCode::wrong_result
                                : ExitCode::success);
}

// The parent's part of a measurement in several processes.
int run_processes(const RunOptions& options, const Study& study,
                  const std::optional<DeviceInfo>& device, const CommandLine& command_line,
                  results::ResultsFile& results) {
    const std::string baseline = baseline_name(*study.workload, registry());
    Progress progress;
    const auto cases = static_cast<std::int64_t>(cases_of(study).size());
    const std::int64_t visits = cases * study.rounds;  // of a process
    for (int index = 0; index < options.processes && stop_signal() == 0; ++index) {
        progress.show(index, options.processes, "processes");
        results::Document measured = run_process(command_line, index, study.order_seed);
        const auto so_far = measured.run() ? measured.run()->incomplete : std::nullopt;
        if (!measured.run()) break;  // stopped before anything was measured
        results.amend([&](results::Document& document) {
            if (!document.context.run) {
                document.context = measured.context;
                document.context.run->command = command_line;
                document.context.run->sampling->processes = options.processes;
            }
            if (auto& wall = document.context.run->wall; index > 0 && wall)
                *wall += measured.context.run->wall.value_or(results::WallTime());
            for (results::CaseRecord& record : measured.cases)
                results::merge(document, std::move(record), study.sampling.seed);
            results::add_speedups(document.cases, baseline);
            auto& incomplete = document.context.run->incomplete;
            incomplete.reset();
            if (so_far || index + 1 < options.processes)
                incomplete = {static_cast<std::int64_t>(document.cases.size()), cases,
                              index * visits + (so_far ? so_far->visits : visits),
                              options.processes * visits};
        });
    }
    progress.clear();
    if (!results.document().run()) throw Stopped();
    print_results(study, device, results.document(), options.sort);
    const bool stopped = stop_signal() != 0;
    print_outputs(options, study, results,
                  stopped ? nullptr : final_case(study, results.document()));
    if (stopped) say_stopped(results.document());
    return exit_code(results.document());
}

// What an earlier run left, where it is to be gone on with. `device`: nullptr on the host.
std::optional<results::Document> earlier_results(const RunOptions& options,
                                                 const DeviceInfo* device,
                                                 const CommandLine& command_line) {
    if (!options.resume) return std::nullopt;
    return results_to_resume(results_path(options), command_line,
                             *run_context(command_line, device, {}).run);
}

void check_resumable(const RunOptions& options, int repetitions) {
    const char* const part = options.resume ? "--resume" : "--budget";
    if (!options.resume && options.budget.empty()) return;
    const char* other = options.processes > 1                     ? "--processes"
                        : repetitions > 1                         ? "--benchmark_repetitions"
                        : options.resume && !options.save.empty() ? "--save"
                                                                  : nullptr;
    if (other)
        throw Error(
            ExitCode::usage,
            fmt::format("{} cannot be combined with {}: leave out one of the two", part, other));
}

Error no_time(const RunOptions& options) {
    return {ExitCode::unavailable,
            fmt::format("the time of --budget {} was over before a case was measured: give more",
                        options.budget)};
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
    // The names of the cases are the same in all processes.
    if (std::ranges::any_of(command_line, [](const std::string& argument) {
            return argument.starts_with("--benchmark_list_tests");
        }))
        options.processes = 1;
    check_resumable(options, repetitions);
    const bool own_order = !options.order_seed;
    if (own_order) options.order_seed = new_seed();
    Study study = study_from(options);
    const StopSignals signals;
    const auto file = checked_outputs(options, *study.workload);
    results::ResultsFile& results = *file;
    const std::optional<DeviceInfo> device = device_of(study);
    if (auto earlier = earlier_results(options, device ? &*device : nullptr, command_line)) {
        const results::Run& before = *earlier->run();
        if (own_order && before.sampling) study.order_seed = before.sampling->order_seed;
        results.start_from(std::move(*earlier));
        if (!results.document().run()->incomplete) {
            print_results(study, device, results.document(), options.sort);
            fmt::print("nothing was left to measure in {}\n", results_path(options));
            return exit_code(results.document());
        }
    }
    const auto budget = parse_duration(options.budget);
    if (budget) stop_after(std::max(0.0, *budget - process_age_seconds()));
    if (options.processes > 1) return run_processes(options, study, device, command_line, results);

    if (isatty(STDERR_FILENO) != 0)
        if (const std::string cost = simt_forecast(study, options.backend == "auto"); !cost.empty())
            fmt::print(stderr, "{}\n", folded("camber: " + cost, progress_width()));

    Progress progress;
    Narrator narrator(study, progress);
    std::optional<Session> opened;
    try {
        opened.emplace(study, narrator, std::nullopt, process_age_seconds());
    } catch (const Stopped&) {
        progress.clear();
        if (stop_signal() != 0) throw;
        throw no_time(options);
    }
    Session& session = *opened;
    session.run(results, command_line, repetitions);
    progress.clear();
    for (const std::string& sentence : describe_failures(session.failures()))
        fmt::print(stderr, "camber: {}\n", sentence);
    const results::Document& document = results.document();
    // --benchmark_list_tests only names the cases.
    if (document.cases.empty()) {
        if (stop_signal() != 0) throw Stopped();
        if (stopping()) throw no_time(options);
        return static_cast<int>(ExitCode::success);
    }

    print_results(study, device, document, options.sort);
    const results::CaseRecord* saved = study.process == 0 ? final_case(study, document) : nullptr;
    const bool stopped = document.run()->incomplete.has_value();
    if (saved && !options.save.empty() && !stopped)
        study.workload->save(final_state_of(*saved, session.runner()), options.save,
                             {study.initial, study.problem.parameters, study.generations,
                              fmt::format("camber: {}", describe_run(study, device))});
    print_outputs(options, study, results, stopped ? nullptr : saved);
    if (stopped)
        say_stopped(document, stop_signal() != 0
                                  ? "stopped"
                                  : fmt::format("the time of --budget {} is over, and --resume "
                                                "goes on",
                                                options.budget));
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
        "  camber run --pattern workloads/life/patterns/gosper_glider_gun.rle --size 200x100\n"
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
