#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <deque>
#include <memory>

#include "harness/base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/progress.hpp"
#include "harness/cli/run_options.hpp"
#include "harness/cli/table.hpp"
#include "harness/results/results_file.hpp"
#include "harness/run/ceilings.hpp"
#include "harness/run/engine.hpp"
#include "harness/run/record.hpp"

namespace camber {

namespace {

// What a run has found so far, for the table and for speedups.
class Findings {
  public:
    Findings(const Study& study, const Ceilings& ceilings) : study_(study), ceilings_(ceilings) {}

    const CaseResult& add(const CaseResult& result) {
        results_.push_back(result);
        if (result.status == Status::ok &&
            result.variant->info.name() == baseline_name(*study_.workload))
            baseline_ = result.seconds_per_generation();
        return results_.back();
    }

    std::optional<Derived> derived(const CaseResult& result) const {
        if (result.status != Status::ok || !study_.time) return std::nullopt;
        return derive(study_, result, ceilings_, baseline_);
    }

    bool any_failed() const {
        return std::ranges::any_of(
            results_, [](const CaseResult& result) { return result.status == Status::failed; });
    }
    bool any_passed() const {
        return std::ranges::any_of(
            results_, [](const CaseResult& result) { return result.status == Status::ok; });
    }

    std::string table() const {
        std::vector<TableRow> rows;
        for (const CaseResult& result : results_) rows.push_back({&result, derived(result)});
        return ranking(study_, rows, ceilings_);
    }

    // Speedups of cases that were stored before the baseline had run.
    void complete(nlohmann::ordered_json& document) const {
        if (!baseline_) return;
        for (auto& benchmark : document["benchmarks"]) {
            if (!benchmark.contains("camber") || !benchmark["camber"].contains("derived")) continue;
            benchmark["camber"]["derived"]["speedup_vs_baseline"] =
                *baseline_ * 1e9 / benchmark["real_time"].get<double>();
        }
    }

  private:
    const Study& study_;
    const Ceilings& ceilings_;
    std::deque<CaseResult> results_;
    std::optional<double> baseline_;  // seconds per generation
};

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

int run(const RunOptions& options, std::vector<std::string> engine_flags,
        const CommandLine& command_line) {
    const int repetitions = configure_engine(engine_flags);
    if (!engine_flags.empty())
        throw Error(ExitCode::usage, fmt::format("argument '{}' is unknown: see camber run --help",
                                                 engine_flags.front()));
    const Study study = study_from(options);
    std::optional<DeviceInfo> device;
    if (study.backend == Backend::cuda)
        for (const DeviceInfo& candidate : cuda_devices())
            if (candidate.index == study.device) device = candidate;

    Progress progress;
    const int total = static_cast<int>(study.variants.size()) * repetitions;
    progress.show(0, total, "computing the reference");
    CaseRunner runner(study);
    const FinalState final = study.workload->final_state(runner.expected());
    const Ceilings ceilings = measure_ceilings(runner.queue());
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
    results.amend([&](auto& document) { findings.complete(document); });

    fmt::print("{}\n{}", describe_run(study, device), findings.table());
    if (findings.any_passed()) print_final(final, study.generations);
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
        "  camber run --backend cpu --size 2048x2048");
    command->callback([&chosen, command, options, &command_line] {
        chosen = [command, options, &command_line] {
            return run(*options, command->remaining(), command_line);
        };
    });
}

}  // namespace camber
