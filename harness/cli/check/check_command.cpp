#include "harness/cli/check/check_command.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/cli/candidate/own_problem.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/predict/check_variant.hpp"
#include "workloads/core/optional_interfaces.hpp"

namespace camber {

namespace {

constexpr Size trial_board{64, 48};  // takes some hundredths of a second

// Sum over all cases of the study.
double cells_and_generations(const Study& study) {
    return static_cast<double>(study.variants.size()) *
           static_cast<double>(study.problem.size.cells()) * study.generations;
}

}  // namespace

double check_seconds(const std::vector<Study>& studies) {
    Study trial = studies.front();
    if (trial.initial.input || trial.workload->capabilities().parameter_start) return 0;
    Size& size = trial.problem.size;
    size = trial.initial.size = {std::min(size.columns, trial_board.columns),
                                 std::min(size.rows, trial_board.rows)};
    trial.variants.resize(1);
    trial.generations = trial.variants.front()->info.shape.generations;
    const State initial = trial.workload->initial(trial.initial);
    const auto start = std::chrono::steady_clock::now();
    const CheckResult result =
        check_variant(*trial.variants.front(), trial.problem, initial, trial.generations, 1);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (!result.skipped.empty()) return 0;
    double all = 0;
    for (const Study& study : studies) all += cells_and_generations(study);
    return taken.count() * all / cells_and_generations(trial);
}

std::string check_forecast(const std::vector<Study>& studies) {
    const double seconds = check_seconds(studies);
    if (seconds <= worth_saying) return "";
    std::size_t cases = 0;
    for (const Study& study : studies) cases += study.variants.size();
    return fmt::format("this takes about {}: {} cases of {}, thread by thread on this CPU",
                       rough_duration(seconds), cases, studies.front().workload->name());
}

namespace {

constexpr int usual_examples = 3;

struct CheckOptions {
    RunOptions run;
    OwnProblemOptions own;
    bool workload_given = false;
    int examples = usual_examples;
};

// Blocks overhang the first board. All published regions except one divide the second board, for
// which techniques may have specialized kernels.
constexpr const char* default_sizes[] = {"70x50", "768x48"};
constexpr int default_generations = 4;

void add_studies(const RunOptions& asked, std::vector<Study>& studies) {
    std::vector<std::string> sizes = sizes_in(asked.size);
    if (asked.size.empty()) sizes.assign(std::begin(default_sizes), std::end(default_sizes));
    for (const std::string& size : sizes) {
        RunOptions run = asked;
        run.backend = name(Backend::simt);
        run.size = size;
        if (run.generations == 0) run.generations = default_generations;
        studies.push_back(study_from(run));
    }
}

double cells_of(const Study& study) {
    return static_cast<double>(study.problem.size.cells());
}

int check_all(const std::vector<RunOptions>& runs, int examples) {
    const StopSignals signals;
    std::vector<CheckResult> results;
    std::vector<Study> studies;
    for (const RunOptions& run : runs) add_studies(run, studies);
    int total = 0;
    for (const Study& study : studies) {
        total += static_cast<int>(study.variants.size());
        const std::size_t needed = check_memory_needed(study.problem);
        if (const std::size_t available = available_host_memory(); needed > available)
            report_memory_shortage("checking a board of this size", needed, available);
    }
    if (isatty(STDERR_FILENO) != 0) say_cost(check_forecast(studies));
    Progress progress;
    double done = 0;  // in cells
    double all = 0;
    for (const Study& study : studies)
        all += cells_of(study) * static_cast<double>(study.variants.size());
    try {
        for (const Study& study : studies) {
            const State initial =
                start_of(*study.workload, study.initial, study.problem.parameters);
            for (const Variant* variant : study.variants) {
                progress.show(static_cast<int>(results.size()), total, variant->info.name(),
                              done / all);
                results.push_back(
                    check_variant(*variant, study.problem, initial, study.generations, examples));
                progress.clear();
                fmt::print("{}", describe(results.back()));
                std::fflush(stdout);
                done += cells_of(study);
            }
        }
    } catch (const Stopped&) {
        if (results.empty()) throw;
        progress.clear();
    }
    fmt::print("{}", summarize(results));
    if (stop_signal() != 0) say_stopped(static_cast<int>(results.size()), total, "cases checked");
    bool any_checked = false;
    for (const CheckResult& result : results) {
        if (!result.findings.empty()) return static_cast<int>(ExitCode::wrong_result);
        any_checked = any_checked || result.skipped.empty();
    }
    if (!any_checked && stop_signal() == 0)
        throw Error(ExitCode::usage,
                    "no variant was checked, for the reasons above: choose other --generations, "
                    "--size or variants");
    return static_cast<int>(ExitCode::success);
}

int run_with(CheckOptions options) {
    const int generations = options.run.generations;
    choose_problem(options.own, options.workload_given, options.run);
    options.run.generations = generations;
    if (options.run.size.empty()) options.run.size = sizes_to_check(options.run);
    return check_all({options.run}, options.examples);
}

}  // namespace

int run_checks(const std::vector<RunOptions>& runs) {
    return check_all(runs, usual_examples);
}

void add_check_command(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand(
        "check",
        "Find races, reads of uninitialized memory and out-of-bounds accesses; needs no GPU");
    auto options = std::make_shared<CheckOptions>();
    RunOptions& run = options->run;
    command->add_option("variant", run.variants,
                        "Variants by name, or globs such as 'shared_tile/*' (default: all)");
    run.add_compositions_to(*command);
    run.add_candidates_to(*command);
    CLI::Option* const workload =
        command->add_option("--workload", run.workload, "What is computed")->capture_default_str();
    options->own.add_problem_to(*command);
    command
        ->add_option("--size", run.size,
                     "Board as COLUMNSxROWS, or several: A,B or A..B (default: 70x50, which blocks "
                     "overhang, then 768x48, which most block shapes divide evenly; for candidates "
                     "768x48 alone, unless their lines say overhang=yes)")
        ->check(not_empty);
    command->add_option("--generations", run.generations, "Generations (default: 4)")
        ->check(CLI::Range(1, 1 << 30));
    command->add_option("--boundary", run.boundary, "Cells beyond the edge: dead or torus")
        ->capture_default_str();
    run.add_cell_to(*command);
    run.add_rule_to(*command);
    run.add_seed_to(*command);
    run.group.add_to(*command);
    run.group.add_partition_to(*command);
    run.group.add_balancing_to(*command);
    run.group.add_start_to(*command);
    command
        ->add_option("--examples", options->examples,
                     "Maximum number of examples shown per finding")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    command->footer(
        "A race: two threads access the same bytes, at least one of them writes, and no barrier\n"
        "orders the accesses; blocks of one launch are never ordered. Exit codes: 0 if all "
        "variants\n"
        "are clean, 4 if there is a finding.\n"
        "\n"
        "With --gpus the board is divided among simulated devices, whose queues execute in a\n"
        "random order. After each generation their cells, and their copies of neighboring rows or\n"
        "columns, are compared with a run on one device. Findings are stale halos, work of two\n"
        "queues on the same memory without synchronization, and vents that emit lava twice.\n"
        "\n"
        "Examples:\n"
        "  camber check                                   every Life variant\n"
        "  camber check 'shared_tile/*' --boundary torus\n"
        "  camber check 'two_generation*' --size 1000x3 --generations 2 --cell uint8\n"
        "  camber check 'halo/16x16/*' --gpus 3 --exchange all --overlap both\n"
        "  camber check 'halo/16x16/*' --gpus 3 --partition transposed");
    command->callback([&chosen, options, workload] {
        options->workload_given = workload->count() > 0;
        chosen = [options] { return run_with(*options); };
    });
}

}  // namespace camber
