// Command `camber scale`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <ranges>

#include "analysis/scaling/analysis.hpp"
#include "analysis/scaling/series.hpp"
#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/scale/page.hpp"
#include "harness/cli/scale/series_file.hpp"
#include "harness/cli/scale/units.hpp"
#include "harness/measure/ceilings/ceilings.hpp"
#include "harness/measure/correctness/reference_variants.hpp"
#include "harness/measure/session.hpp"
#include "harness/record/document.hpp"
#include "harness/record/merge.hpp"

namespace camber {

namespace {

// Shows progress: completed points, and the variant that runs.
class PointNarrator final : public SessionObserver {
  public:
    PointNarrator(Progress& progress, const Study& study, int done, int total)
        : progress_(progress),
          place_(unit_words(study.place->units, study.place->unit)),
          done_(done),
          total_(total) {}

    void preparing(std::string_view what) override {
        progress_.show(done_, total_, fmt::format("{}: {}", place_, what));
    }
    void starting(const Case& chosen, int, int) override {
        progress_.show(done_, total_, fmt::format("{}: {}", place_, chosen.variant->info.name()));
    }
    void overdue(const std::string& sentence) override {
        progress_.clear();
        say_overdue(sentence);
    }
    void device_lost(const std::string& sentence) override {
        progress_.clear();
        say_device_lost(sentence);
    }

  private:
    Progress& progress_;
    std::string place_;
    int done_;
    int total_;
};

// True if the document contains every case of the study.
bool is_measured(const Study& study, const results::Document& document) {
    return std::ranges::all_of(cases_of(study), [&](const Case& chosen) {
        return std::ranges::find(document.cases, case_name(study, chosen),
                                 &results::CaseRecord::name) != document.cases.end();
    });
}

// Combines the cases of several files, which must be measured on one machine.
results::Document read_together(const std::vector<std::string>& files) {
    results::Document all = results::read_document(files.front());
    for (const std::string& file : files | std::views::drop(1)) {
        results::Document more = results::read_document(file);
        if (more.gpu() != all.gpu())
            throw Error(ExitCode::usage,
                        fmt::format("{} is from {}, and {} from {}: give files of one machine",
                                    files.front(), all.gpu(), file, more.gpu()));
        std::ranges::move(more.cases, std::back_inserter(all.cases));
    }
    return all;
}

int run(ScaleOptions options, const CommandLine& command_line) {
    const scaling::Mode mode = scaling::parse_mode(options.mode);
    if (!options.from.empty()) {
        results::Document document = read_together(options.from);
        results::merge_repetitions(document);
        conclude(document, mode);
        return exit_code_of(document);
    }
    if (options.over == "ranks") return scale_over_ranks(options, command_line);
    if (!options.launcher.empty())
        throw Error(ExitCode::usage,
                    fmt::format("--launcher {} starts ranks: give --over ranks, or leave it out",
                                options.launcher));
    if (options.over == "gpus") check_graph(options.run);
    const auto devices = cuda_devices();
    const GroupOptions group = options.run.group;
    const std::vector<int> gpus =
        options.over == "gpus" ? gpus_of(group, devices) : std::vector<int>();
    if (gpus.empty() && !group.words().empty())
        throw Error(ExitCode::usage,
                    fmt::format("{} applies to several GPUs: give --over gpus, or leave it out",
                                group.words().front()));
    options.run.group = {};

    const bool on_gpu = options.over != "threads";
    if (!gpus.empty()) options.run.device = gpus.front();
    std::optional<DeviceInfo> device;
    if (on_gpu)
        device = chosen_device(options.run.device, "no CUDA device can be used",
                               "--over threads needs none");
    options.run.backend = on_gpu ? "cuda" : "cpu";
    if (!on_gpu) {
        require_reference(options.run);
        options.run.variants = {"reference/threads"};
    }
    Study study = study_from(options.run);
    // If no variant is named, chooses the plain form, or the plainest that can be divided.
    if (!gpus.empty() && options.run.variants.empty() && options.run.compositions.empty()) {
        std::erase_if(study.variants, [](const Variant* variant) {
            return !variant->group_factories.contains(Backend::cuda);
        });
        if (study.variants.size() > 1) study.variants.resize(1);
    } else if (on_gpu && options.run.variants.empty() && options.run.compositions.empty())
        std::erase_if(study.variants, [&](const Variant* variant) {
            return variant->info.name() != baseline_name(*study.workload, registry());
        });
    const std::vector<int> cores = cpu_cores();
    const Units units = !gpus.empty() ? gpu_units(options.units, static_cast<int>(gpus.size()))
                        : on_gpu      ? sms_of(options.units, *device)
                                      : threads_of(options.units, static_cast<int>(cores.size()));
    check_series(units, options.over);

    const StopSignals signals;
    SeriesFile file(options.run, command_line, device);
    results::ResultsFile& results = file.results();
    const bool whole = file.was_whole();
    Progress progress;
    const int total = static_cast<int>(units.counts.size());
    std::optional<Ceilings> ceilings;
    if (device && !whole) {
        progress.show(0, total, "measuring the ceilings of the whole device");
        ceilings = limits_of(*device, false,
                             [&] { return measure_ceilings(*open_cuda(device->index), &*device); });
    }
    try {
        for (int done = 0; !whole && done < total && stop_signal() == 0; ++done) {
            const Study point =
                study_on(study, units, units.counts[done], mode, {device, cores, group, gpus});
            // The last point always runs, so that its session marks the series as complete.
            if (done + 1 < total && is_measured(point, results.document())) continue;
            PointNarrator narrator(progress, point, done, total);
            const int to_come = (total - done - 1) * static_cast<int>(cases_of(point).size());
            Session(point, narrator, ceilings).run(results, command_line, 1, to_come);
        }
    } catch (const Stopped&) {
        if (results.document().cases.empty()) throw;
    }
    progress.clear();
    const results::Document measured = file.measured();
    file.conclude(measured, mode);
    return file.close(measured);
}

}  // namespace

void add_scale_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command = app.add_subcommand(
        "scale", "Measure how a variant scales: speedup, efficiency, Amdahl, Karp-Flatt");
    auto options = std::make_shared<ScaleOptions>();
    command
        ->add_option(
            "--over", options->over,
            "Unit that p counts: sms (SMs of one GPU, in partitions), threads (of the CPU, one "
            "per core), gpus or ranks (MPI processes)")
        ->check(CLI::IsMember({"sms", "threads", "gpus", "ranks"}));
    command->add_option(
        "--units", options->units,
        "Comma-separated values of p, such as 8,16,32 (default: a series up to all units)");
    command
        ->add_option(
            "--mode", options->mode,
            "strong: same board for every p; weak: --size is the board for p = 1, and the rows "
            "grow in proportion to p (particles: their number, through their spacing). "
            "With --from: mode of the runs in the files")
        ->capture_default_str();
    command->add_option(
        "--from", options->from,
        "Analyze the times in this results file instead of measuring: a file of camber scale, of "
        "camber run on several GPUs or ranks, or of a Google Benchmark program on several threads. "
        "Repeatable, for files of one machine");
    options->run.add_problem_to(*command, command_line);
    options->run.add_compositions_to(*command);
    options->run.add_candidates_to(*command);
    command->add_option(
        "--variant", options->run.variants,
        "Variants by name or glob, one series each; repeatable (default: the basic variant of "
        "technique global; over threads always reference/threads)");
    command->add_option("--out", options->run.out, "Results file")
        ->default_str(default_scaling)
        ->check(is_file_name);
    command->add_flag("--graph", options->run.graph, "Replay launches as a CUDA graph");
    command
        ->add_option(
            "--launcher", options->launcher,
            "With --over ranks: command that starts them; -n and their number are appended "
            "(default: $CAMBER_LAUNCHER, or mpirun)")
        ->check(not_empty);
    options->run.group.add_timeout_to(*command);
    options->run.group.add_to(*command);
    options->run.group.add_partition_to(*command);
    options->run.group.add_balancing_to(*command);
    options->run.group.add_start_to(*command);
    command->add_flag("--quick", options->run.quick, "Use a smaller board and fewer samples");
    command->add_flag(
        "--resume", options->run.resume,
        "Resume the results file of the same command, commit and machine: measure only "
        "the points that it lacks");
    command->footer(
        "Every variant is verified on every cell at every p. Speedups compare one variant with\n"
        "itself; to compare different variants, use camber run and camber compare.\n"
        "\n"
        "Examples:\n"
        "  camber scale --over sms --variant 'halo/64x4/align128'\n"
        "  camber scale --over threads --workload water_flow --size 2048x2048\n"
        "  camber scale --over gpus --exchange stores --graph --variant 'row_stream/64x4/v4/r2/*'\n"
        "  camber scale --over sms --mode weak --size 4096x2048\n"
        "  camber scale --over gpus --mode weak --workload sph --param dp=0.005 --balance "
        "improved\n"
        "  camber scale --over ranks --launcher 'mpirun --oversubscribe' --units 1,2,4\n"
        "  camber scale --from scaling.json\n"
        "  camber scale --from ranks-1.json --from ranks-2.json --from ranks-4.json");
    command->callback([&chosen, options, &command_line] {
        if (options->over.empty() && options->from.empty())
            throw Error(ExitCode::usage,
                        "the unit that p counts is missing: give --over sms, --over threads, "
                        "--over gpus or --over ranks");
        chosen = [options, &command_line] { return run(*options, command_line); };
    });
}

}  // namespace camber
