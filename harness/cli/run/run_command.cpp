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
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/common/table.hpp"
#include "harness/cli/run/processes.hpp"
#include "harness/results/derive.hpp"
#include "harness/results/merge.hpp"
#include "harness/results/results_file.hpp"
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
    results::ResultsFile(options.out);  // writes nothing yet
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

// As programs print numbers: whole ones without a point, others with all their digits.
std::string amount_of(const FinalState& final) {
    return final.quantity == "population" ? fmt::format("{:.0f}", final.amount)
                                          : results::number_text(final.amount);
}

// What a person reads, from the document that programs read.
void print_results(const Study& study, const std::optional<DeviceInfo>& device,
                   const results::Document& document) {
    fmt::print("{}\n{}{}", describe_run(study, device), ranking(document),
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
void print_outputs(const RunOptions& options, const results::CaseRecord* saved) {
    if (saved && !options.save.empty())
        fmt::print("final state{}: {}\n", of_variant(*saved), options.save);
    fmt::print("results: {}\n", options.out);
}

int exit_code(const results::Document& document) {
    return static_cast<int>(cases_with(document, results::Status::failed) > 0
                                ? ExitCode::wrong_result
                                : ExitCode::success);
}

// The parent's part of a measurement in several processes.
int run_processes(const RunOptions& options, const Study& study,
                  const std::optional<DeviceInfo>& device, const CommandLine& command_line) {
    const std::string baseline = baseline_name(*study.workload, registry());
    Progress progress;
    results::ResultsFile results(options.out);
    for (int index = 0; index < options.processes; ++index) {
        progress.show(index, options.processes, "processes");
        results::Document measured = run_process(command_line, index, study.order_seed);
        results.amend([&](results::Document& document) {
            if (!document.context.run) {
                document.context = measured.context;
                document.context.run->command = command_line;
                document.context.run->sampling->processes = options.processes;
            }
            for (results::CaseRecord& record : measured.cases)
                results::merge(document, std::move(record), study.sampling.seed);
            results::add_speedups(document.cases, baseline);
        });
    }
    progress.clear();
    print_results(study, device, results.document());
    print_outputs(options, final_case(study, results.document()));
    return exit_code(results.document());
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
    const std::optional<DeviceInfo> device = device_of(study);
    if (options.processes > 1) return run_processes(options, study, device, command_line);

    Progress progress;
    Narrator narrator(study, progress);
    Session session(study, narrator);
    results::ResultsFile results(options.out);
    session.run(results, command_line, repetitions);
    progress.clear();
    for (const std::string& sentence : describe_failures(session.failures()))
        fmt::print(stderr, "camber: {}\n", sentence);
    const results::Document& document = results.document();
    // --benchmark_list_tests only names the cases.
    if (document.cases.empty()) return static_cast<int>(ExitCode::success);

    print_results(study, device, document);
    const results::CaseRecord* saved = study.process == 0 ? final_case(study, document) : nullptr;
    if (saved && !options.save.empty())
        study.workload->save(final_state_of(*saved, session.runner()), options.save,
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
