#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/findings.hpp"
#include "harness/cli/progress.hpp"
#include "harness/cli/run_options.hpp"
#include "harness/results/results_file.hpp"
#include "harness/run/ceilings.hpp"
#include "harness/run/engine.hpp"
#include "harness/run/record.hpp"
#include "harness/static/kernel_code.hpp"

namespace camber {

namespace {

std::string describe_run(const Study& study, const std::optional<DeviceInfo>& device) {
    return fmt::format(
        "{} {}x{} ({} cells, {}), {} generations, {} on {}", study.workload->name(),
        study.problem.size.columns, study.problem.size.rows, info(study.problem.cell).name,
        study.initial.pattern
            ? study.initial.pattern->filename().string()
            : fmt::format("random, seed {}, density {}", study.initial.seed, study.initial.density),
        study.generations, name(study.backend), device ? device->name : "this CPU");
}

void print_final(const FinalState& final, int generations) {
    fmt::print("after {} generations: {} {}, checksum 0x{:016x}\n", generations, final.quantity,
               final.amount, final.checksum);
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
void check_outputs(const RunOptions& options) {
    ResultsFile(options.out, nlohmann::ordered_json::object());  // writes nothing yet
    if (options.save.empty()) return;
    const auto normal = [](const std::string& path) {
        return std::filesystem::absolute(path).lexically_normal();
    };
    if (normal(options.save) == normal(options.out))
        throw Error(ExitCode::usage,
                    fmt::format("--save and --out both name {}: choose two files", options.out));
    check_writable(options.save);
}

// A machine that keeps its counters to itself still has times to offer.
void report_no_counters(const std::string& why) {
    fmt::print(stderr, "camber: going on without counters: {}\n", why);
}

void enable_counters(CaseRunner& runner, Progress& progress) {
    try {
        runner.enable_counters();
    } catch (const Error& error) {
        if (error.code() != ExitCode::unavailable) throw;
        progress.clear();
        report_no_counters(error.what());
    }
}

int run(const RunOptions& options, std::vector<std::string> engine_flags,
        const CommandLine& command_line) {
    const int repetitions = configure_engine(engine_flags);
    if (!engine_flags.empty())
        throw Error(ExitCode::usage, fmt::format("argument '{}' is unknown: see camber run --help",
                                                 engine_flags.front()));
    const Study study = study_from(options);
    check_outputs(options);
    std::optional<DeviceInfo> device;
    if (study.backend == Backend::cuda)
        for (const DeviceInfo& candidate : cuda_devices())
            if (candidate.index == study.device) device = candidate;

    if (device) KernelCode::of_this_program().prepare(device->major, device->minor);

    Progress progress;
    const int total = static_cast<int>(study.variants.size()) * repetitions;
    progress.show(0, total, "computing the reference");
    CaseRunner runner(study);
    const FinalState final = study.workload->final_state(runner.expected());
    if (!study.counters.empty()) enable_counters(runner, progress);
    if (device) progress.show(0, total, "measuring the device's limits");
    const Ceilings ceilings = measure_ceilings(runner.queue(), device ? &*device : nullptr);
    // Before the first case is timed, so that no disassembler works beside it.
    KernelCode::of_this_program().wait();
    ResultsFile results(options.out,
                        run_context(command_line, device ? &*device : nullptr, ceilings));

    Findings findings(study, ceilings);
    int done = 0;
    EngineEvents events;
    events.starting = [&](const Variant& variant) {
        progress.show(done, total, variant.info.name());
    };
    events.measured = [&](const CaseResult& measured, int repetition) {
        const CaseResult& result = findings.add(measured);
        results.add(
            record(study, result, findings.derived(result), final, repetition, repetitions));
        ++done;
    };
    events.aggregated = [&](const Aggregate& aggregate) { results.add(record(aggregate)); };
    run_cases(runner, events);
    progress.clear();
    if (!runner.counters_failure().empty()) report_no_counters(runner.counters_failure());
    // --benchmark_list_tests only names the cases.
    if (findings.empty()) return static_cast<int>(ExitCode::success);
    results.amend([&](auto& document) { findings.complete(document); });

    fmt::print("{}\n{}", describe_run(study, device), findings.table());
    if (findings.any_passed()) print_final(final, study.generations);
    if (!findings.any_passed()) fmt::print("no case passed: there is no final state\n");
    if (!options.save.empty() && findings.any_passed()) {
        study.workload->save(runner.expected(), options.save,
                             fmt::format("camber: {}", describe_run(study, device)));
        fmt::print("final state: {}\n", options.save);
    }
    fmt::print("results: {}\n", options.out);
    return static_cast<int>(findings.any_failed() ? ExitCode::wrong_result : ExitCode::success);
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
        "  camber run --backend cpu --size 2048x2048");
    command->callback([&chosen, command, options, &command_line] {
        chosen = [command, options, &command_line] {
            return run(*options, command->remaining(), command_line);
        };
    });
}

}  // namespace camber
