#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "analysis/scaling/analysis.hpp"
#include "analysis/scaling/results_series.hpp"
#include "analysis/scaling/scaling_json.hpp"
#include "harness/base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/device_choice.hpp"
#include "harness/cli/common/progress.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/scale/page.hpp"
#include "harness/cli/scale/unit_list.hpp"
#include "harness/results/context.hpp"
#include "harness/results/merge.hpp"
#include "harness/results/results_file.hpp"
#include "harness/run/ceilings.hpp"
#include "harness/run/engine.hpp"
#include "harness/run/pinned_threads.hpp"
#include "harness/run/record.hpp"
#include "harness/run/reference_variants.hpp"
#include "harness/run/scaling_points.hpp"

namespace camber {

namespace {

using Json = nlohmann::ordered_json;

struct ScaleOptions {
    RunOptions run;
    std::string over;   // sms, threads or gpus
    std::string units;  // "": the usual ones
    std::string mode = "strong";
    std::string from;  // a results file to read again, instead of measuring
};

// What p counts on this machine, and how to run on p of them.
struct Units {
    scaling::Unit unit = scaling::Unit::sm;
    int unit_size = 1;
    std::vector<int> counts;
};

Units sms_of(const ScaleOptions& options, const DeviceInfo& device) {
    const SmGranularity granularity = sm_granularity(device.index);
    Units units{scaling::Unit::sm, granularity.smallest, {}};
    units.counts = options.units.empty()
                       ? usual_sm_counts(granularity.smallest, granularity.step, device.sm_count)
                       : parse_unit_list(options.units, device.sm_count);
    for (const int count : units.counts)
        if (count != device.sm_count &&
            (count < granularity.smallest || count % granularity.step != 0))
            throw Error(ExitCode::usage,
                        fmt::format("{} cannot be divided into a partition of {} multiprocessors: "
                                    "give multiples of {} from {} on, or all {}",
                                    device.name, count, granularity.step, granularity.smallest,
                                    device.sm_count));
    return units;
}

Units threads_of(const ScaleOptions& options, int cores) {
    return {
        scaling::Unit::thread, 1,
        options.units.empty() ? usual_thread_counts(cores) : parse_unit_list(options.units, cores)};
}

[[noreturn]] void refuse_gpus(std::size_t visible) {
    if (visible < 2)
        throw Error(ExitCode::unavailable,
                    fmt::format("scaling over GPUs needs at least two, and this machine shows {}: "
                                "--over sms divides one",
                                visible));
    throw Error(ExitCode::unavailable,
                fmt::format("{} GPUs are visible, but no variant divides a board among several "
                            "yet: --over sms --device N divides one",
                            visible));
}

// All variants on one number of units; every case names it.
class PointRunner {
  public:
    PointRunner(const Units& units, scaling::Mode mode, const std::optional<DeviceInfo>& device,
                const Ceilings& ceilings, const std::vector<int>& cores)
        : units_(units), mode_(mode), device_(device), ceilings_(ceilings), cores_(cores) {}

    void run(Study study, int count, ResultsFile& results, Progress& progress, int done,
             int total) const {
        std::shared_ptr<const Variant> reference;
        if (units_.unit == scaling::Unit::sm)
            study.sms = count == device_->sm_count ? 0 : count;
        else
            study.variants = {(reference = std::make_shared<const Variant>(
                                   reference_variant(*study.workload, study.problem.cell, count)))
                                  .get()};
        if (mode_ == scaling::Mode::weak)
            study.problem.size.rows = study.initial.size.rows =
                weak_rows(study.problem.size.rows, count, units_.unit_size);

        progress.show(done, total, fmt::format("{} {}: reference", count, key(units_.unit)));
        CaseRunner runner(study);
        check_units(runner.queue(), count);
        const FinalState final = study.workload->final_state(runner.expected());
        std::optional<PinnedThreads> pinned;
        if (units_.unit == scaling::Unit::thread) pinned.emplace(count, cores_);
        EngineEvents events;
        events.starting = [&](const Case& chosen) {
            progress.show(
                done, total,
                fmt::format("{} {}: {}", count, key(units_.unit), chosen.variant->info.name()));
        };
        events.aggregated = [](const Aggregate&) {};
        events.measured = [&](const CaseResult& result, int repetition, int round) {
            std::optional<Derived> derived;
            if (result.status == Status::ok) derived = derive(study, result, ceilings_);
            Json benchmark = record(study, result, derived, final, repetition, 1, round);
            label(benchmark, count);
            results.amend(
                [&](Json& document) { merge_benchmark(document, benchmark, study.sampling.seed); });
        };
        run_cases(runner, events);
    }

  private:
    // The multiprocessors say themselves which they are.
    void check_units(Queue& queue, int count) const {
        if (units_.unit != scaling::Unit::sm) return;
        const int seen = distinct_multiprocessors(queue);
        if (seen != count)
            throw Error(ExitCode::unavailable,
                        fmt::format("a partition of {} multiprocessors ran its blocks on {}: the "
                                    "driver's partitions cannot be trusted here",
                                    count, seen));
    }

    void label(Json& benchmark, int count) const {
        const std::string suffix = fmt::format("/{}:{}", key(units_.unit), count);
        for (const char* name : {"name", "run_name"})
            benchmark[name] = benchmark[name].get<std::string>() + suffix;
        benchmark["camber"]["scaling"] = {{"unit", key(units_.unit)},
                                          {"units", count},
                                          {"unit_size", units_.unit_size},
                                          {"mode", key(mode_)}};
    }

    Units units_;
    scaling::Mode mode_;
    const std::optional<DeviceInfo>& device_;
    const Ceilings& ceilings_;
    const std::vector<int>& cores_;
};

// Prints the analyses of all series, and gives them as the list "scaling". Cases that did not pass
// are named, because their series lack a point.
Json conclude(const results::ResultSet& set) {
    Json list = Json::array();
    std::string separator;
    for (scaling::Series& series : scaling::series_of_results(set)) {
        const scaling::Analysis analysis = scaling::analyse(std::move(series));
        list.push_back(scaling::scaling_json(analysis));
        fmt::print("{}{}", separator, scaling_page(analysis));
        separator = "\n";
    }
    for (const results::Case& one : set.cases)
        if (one.status != results::Status::ok)
            fmt::print("{} {}: {}\n", one.name,
                       one.status == results::Status::failed ? "failed" : "was skipped",
                       one.reason);
    return list;
}

int exit_code(const results::ResultSet& set) {
    const bool failed = std::ranges::any_of(
        set.cases, [](const results::Case& one) { return one.status == results::Status::failed; });
    return static_cast<int>(failed ? ExitCode::wrong_result : ExitCode::success);
}

int run(ScaleOptions options, const CommandLine& command_line) {
    const scaling::Mode mode = scaling::parse_mode(options.mode);
    if (!options.from.empty()) {
        const results::ResultSet set = results::read_results(options.from);
        conclude(set);
        return exit_code(set);
    }
    const auto devices = cuda_devices();
    if (options.over == "gpus") refuse_gpus(devices.size());

    const bool on_gpu = options.over == "sms";
    std::optional<DeviceInfo> device;
    if (on_gpu)
        device = chosen_device(options.run.device, "no CUDA device can be used",
                               "--over threads needs none");
    options.run.backend = on_gpu ? "cuda" : "cpu";
    if (!on_gpu) options.run.variants = {"reference/threads"};
    Study study = study_from(options.run);
    // One variant where none is named: the plain form.
    if (on_gpu && options.run.variants.empty() && options.run.compositions.empty())
        std::erase_if(study.variants, [&](const Variant* variant) {
            return variant->info.name() != baseline_name(*study.workload, registry());
        });
    const std::vector<int> cores = cpu_cores();
    const Units units =
        on_gpu ? sms_of(options, *device) : threads_of(options, static_cast<int>(cores.size()));
    if (units.counts.size() < 2 || units.counts.front() != units.unit_size)
        throw Error(ExitCode::usage,
                    fmt::format("a scaling series needs {} {} and at least one larger number, not "
                                "{}: add them to --units",
                                units.unit_size, options.over, fmt::join(units.counts, ",")));

    ResultsFile results(options.run.out, Json::object());
    Progress progress;
    const int total = static_cast<int>(units.counts.size());
    Ceilings ceilings;
    if (device) {
        progress.show(0, total, "measuring the whole device's limits");
        ceilings = measure_ceilings(*open_cuda(device->index), &*device);
    }
    results.amend([&](Json& document) {
        document["context"] = run_context(command_line, device ? &*device : nullptr, ceilings);
    });
    const PointRunner runner(units, mode, device, ceilings, cores);
    for (int done = 0; done < total; ++done)
        runner.run(study, units.counts[done], results, progress, done, total);
    progress.clear();

    const results::ResultSet set = results::parse_results(results.document(), options.run.out);
    const Json list = conclude(set);
    results.amend([&](Json& document) { document["scaling"] = list; });
    fmt::print("results: {}\n", options.run.out);
    return exit_code(set);
}

}  // namespace

void add_scale_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command = app.add_subcommand(
        "scale", "One variant on more and more of the machine: speedup, Amdahl, Karp-Flatt");
    auto options = std::make_shared<ScaleOptions>();
    command
        ->add_option("--over", options->over,
                     "What p counts: sms (multiprocessors of one GPU, in partitions), threads (of "
                     "the CPU, one per core) or gpus")
        ->check(CLI::IsMember({"sms", "threads", "gpus"}));
    command->add_option("--units", options->units,
                        "How many of them, as 8,16,32 (default: a usual series up to all)");
    command
        ->add_option("--mode", options->mode,
                     "strong: the same board on every p; weak: --size is the board of p = 1, and "
                     "grows in rows as p does")
        ->capture_default_str();
    command->add_option("--from", options->from,
                        "Analyse the times in this results file of camber scale; measure nothing");
    options->run.add_problem_to(*command);
    options->run.add_compositions_to(*command);
    command->add_option("--variant", options->run.variants,
                        "Variants by name or glob, each a series of its own (default: the plain "
                        "one of technique global); repeatable");
    command->add_option("--out", options->run.out, "Results file")->capture_default_str();
    command->add_flag("--quick", options->run.quick, "Smaller board, fewer samples");
    command->footer(
        "Every variant is verified on every cell at every p. Speedups compare one variant with\n"
        "itself: for variants against each other use camber run and camber compare.\n"
        "\n"
        "Examples:\n"
        "  camber scale --over sms --variant 'halo/64x4/align128'\n"
        "  camber scale --over threads --workload water_flow --size 2048x2048\n"
        "  camber scale --over sms --mode weak --size 4096x2048\n"
        "  camber scale --from scaling.json");
    command->callback([&chosen, options, &command_line] {
        if (options->over.empty() && options->from.empty())
            throw Error(ExitCode::usage,
                        "camber scale needs to know what p counts: give --over sms, --over threads "
                        "or --over gpus");
        chosen = [options, &command_line] { return run(*options, command_line); };
    });
}

}  // namespace camber
