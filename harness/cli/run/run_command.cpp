// Command `camber run`, and the options that exclude each other.
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/common/terminal.hpp"
#include "harness/cli/common/workload_options.hpp"
#include "harness/cli/run/leave_out.hpp"
#include "harness/cli/run/outputs.hpp"
#include "harness/cli/run/printing.hpp"
#include "harness/cli/run/several_processes.hpp"
#include "harness/cli/run/simt_run.hpp"
#include "harness/machine/environment/host.hpp"
#include "harness/measure/case_result.hpp"
#include "harness/measure/engine.hpp"
#include "harness/measure/reference_variants.hpp"
#include "harness/measure/session.hpp"
#include "harness/record/document.hpp"
#include "harness/record/merge.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

// Options of `camber run` that exclude each other.

// Throws Error(usage) for options that cannot be combined with --resume or --budget. `repetitions`:
// of Google Benchmark.
void check_resumable(const RunOptions& options, int repetitions);

// Same for options that cannot be combined with --trace.
void check_traceable(const RunOptions& options);

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

// Other processes and earlier runs cannot contribute timelines.
void check_traceable(const RunOptions& options) {
    if (options.trace.empty()) return;
    const char* other = options.processes > 1 ? "--processes"
                        : options.resume      ? "--resume"
                                              : nullptr;
    if (other)
        throw Error(
            ExitCode::usage,
            fmt::format("--trace cannot be combined with {}: leave out one of the two", other));
}

namespace {

// Cases of a study that does not fit in memory.
std::vector<results::CaseRecord> skipped_cases(const Study& study, const std::string& reason) {
    std::vector<results::CaseRecord> records;
    for (const Case& chosen : cases_of(study)) {
        results::CaseRecord& record = records.emplace_back(record_of(study, chosen));
        record.status = results::Status::skipped;
        record.reason = reason;
    }
    return records;
}

Error no_time(const RunOptions& options) {
    return {ExitCode::unavailable,
            fmt::format("--budget {} ended before a case was measured: give more time",
                        options.budget)};
}

std::uint64_t new_seed() {
    std::random_device entropy;
    return entropy() & 0x7fffffff;
}

int measure(RunOptions options, std::vector<std::string> engine_flags,
            const CommandLine& command_line) {
    const bool lists_only = asks_for_list(engine_flags);
    const int repetitions = configure_engine(engine_flags);
    if (!engine_flags.empty()) {
        if (!find_workload(options.workload)) workload_of(options);  // throws
        const std::string sentence = option_of_others(engine_flags, options.workload);
        throw Error(ExitCode::usage,
                    sentence.empty()
                        ? fmt::format("argument '{}' is unknown: see camber run --help",
                                      engine_flags.front())
                        : sentence);
    }
    if (repetitions > 1 && (options.rounds > 1 || options.processes > 1))
        throw Error(ExitCode::usage,
                    "--benchmark_repetitions cannot be combined with --rounds or --processes: "
                    "choose one of the three");
    if (repetitions > 1) options.rounds = 1;
    check_resumable(options, repetitions);
    check_traceable(options);
    check_leave_out(options);
    const bool own_order = !options.order_seed;
    if (own_order) options.order_seed = new_seed();
    if (Communicator* const ranks = options.group.communicator)
        options.order_seed = std::stoull(ranks->broadcast(0, std::to_string(*options.order_seed)));
    if (const Workload* const workload = find_workload(options.workload))
        add_reference_variants(registry(), *workload);
    std::vector<Study> studies = studies_from(options);
    const StopSignals signals;
    if (options.dry_run) {
        for (const std::string& line : leave_out(studies, options)) fmt::print("{}\n", line);
        return static_cast<int>(ExitCode::success);
    }
    if (lists_only) {
        for (const Study& study : studies) list_cases(study);
        return static_cast<int>(ExitCode::success);
    }
    const auto file = checked_outputs(options, studies);
    results::ResultsFile& results = *file;
    std::optional<TraceFile> trace;
    if (!options.trace.empty() && !is_further_rank(options)) trace.emplace(options.trace);
    const std::optional<DeviceInfo> device = device_of(studies.front());
    if (auto earlier = earlier_results(options, results_path(options), command_line, device)) {
        const results::Run& before = *earlier->run();
        if (own_order && before.sampling)
            for (Study& study : studies) study.order_seed = before.sampling->order_seed;
        results.start_from(std::move(*earlier));
        if (!options.leave_out_hopeless)
            results.amend([&](results::Document& document) { take_back(document, studies); });
        if (!results.document().run()->incomplete) {
            print_results(studies, device, results.document(), options.sort,
                          allows_summary(options));
            fmt::print("all cases in {} are already measured\n", results_path(options));
            return exit_code_of(results.document());
        }
    }
    const auto budget = parse_duration(options.budget);
    if (budget) stop_after(std::max(0.0, *budget - process_age_seconds()));
    if (options.leave_out_hopeless) {
        try {
            for (const std::string& line : leave_out(studies, options)) fmt::print("{}\n", line);
        } catch (const Stopped&) {
            // An expired time budget is handled when cases are measured.
            if (stop_signal() != 0) throw;
        }
        std::fflush(stdout);
        if (results.document().run())
            results.amend([&](results::Document& document) { take_back(document, studies); });
    }
    if (options.processes > 1)
        return run_processes(options, studies, device, command_line, results);

    // The estimate costs trial runs and is printed only to a terminal.
    if (isatty(STDERR_FILENO) != 0)
        for (const Study& study : studies)
            say_cost(simt_forecast(study, options.backend == "auto"));

    const bool writes_boards =
        !options.save.empty() && studies.front().process == 0 && !is_further_rank(options);
    const bool several = studies.size() > 1;
    Progress progress;
    std::int64_t to_come = cases_of(studies);
    std::optional<Ceilings> ceilings;
    if (is_further_rank(options)) ceilings.emplace();  // only rank 0 measures its device's ceilings
    std::vector<results::CaseRecord> too_large;
    std::map<std::string, std::string> failures;
    for (const Study& study : studies) {
        if (several && stopping()) break;
        to_come -= static_cast<std::int64_t>(cases_of(study).size());
        Narrator narrator(study, progress, trace ? &*trace : nullptr);
        std::optional<Session> session;
        try {
            session.emplace(study, narrator, ceilings, ceilings ? 0 : process_age_seconds());
        } catch (const Stopped&) {
            progress.clear();
            if (results.document().run()) break;
            if (stop_signal() != 0) throw;
            throw no_time(options);
        } catch (const Error& error) {
            if (!several || error.remedy() != Remedy::smaller_board) throw;
            std::ranges::move(skipped_cases(study, error.what()), std::back_inserter(too_large));
            continue;
        }
        try {
            session->run(results, command_line, repetitions, static_cast<int>(to_come));
        } catch (const Error& error) {
            if (options.group.communicator && results.document().run())
                throw with_what_is_kept(error, results);
            throw;
        }
        ceilings = session->ceilings();
        failures.insert(session->failures().begin(), session->failures().end());
        const results::CaseRecord* saved = final_case(study, results.document());
        const bool whole =
            to_come > 0 ? !stopping() : saved && !results.document().run()->incomplete;
        if (saved && writes_boards && whole)
            study.workload->save(
                final_state_of(*saved, session->runner()), save_path(options, studies, study),
                {study.initial, study.problem.parameters, study.generations,
                 fmt::format("camber: {}", describe_run(study, size_text(study), device)),
                 session->runner().exact()});
    }
    progress.clear();
    for (const std::string& sentence : describe_failures(failures)) say_error(sentence);
    if (!too_large.empty() && !stopping()) {
        if (!results.document().run())
            throw Error(ExitCode::unavailable, too_large.front().reason, Remedy::smaller_board);
        results.amend([&](results::Document& document) {
            for (results::CaseRecord& record : too_large)
                results::merge(document, std::move(record), studies.front().sampling.seed);
            document.context.run->incomplete.reset();
        });
    }
    const results::Document& document = results.document();
    if (document.cases.empty()) {
        if (stop_signal() != 0) throw Stopped();
        if (stopping()) throw no_time(options);
        return static_cast<int>(ExitCode::success);
    }

    print_results(studies, device, document, options.sort, allows_summary(options));
    if (trace) fmt::print("{}", trace->summary(studies.front().time));
    const bool stopped = document.run()->incomplete.has_value();
    print_outputs(options, studies, results, !stopped && studies.front().process == 0);
    if (stopped)
        say_stopped(
            document,
            options.group.communicator ? "stopped by a signal, which mpirun sends when a rank dies"
            : stop_signal() != 0
                ? "stopped"
                : fmt::format("--budget {} is used up; --resume continues", options.budget));
    const int code = exit_code_of(document);
    const bool untraced = failures.contains(timeline_failure);
    return untraced && code == 0 ? static_cast<int>(ExitCode::unavailable) : code;
}

int run(const RunOptions& options, const std::vector<std::string>& engine_flags,
        const CommandLine& command_line) {
    try {
        return measure(options, engine_flags, command_line);
    } catch (const BrokenRun& broken) {
        throw with_last_state(broken, options);
    } catch (const Error& error) {
        // The problem size is determined by parameters, so suggesting --size would be wrong.
        const Workload* const workload = find_workload(options.workload);
        const ParameterStart* const start =
            workload ? workload->capabilities().parameter_start : nullptr;
        if (!start || error.remedy() != Remedy::smaller_board) throw;
        throw Error(error.code(), fmt::format("{}: {}", error.what(), start->smaller()));
    }
}

}  // namespace

void add_run_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command = app.add_subcommand(
        "run", "Verify variants against the reference, time them, and rank them");
    auto options = std::make_shared<RunOptions>();
    options->add_to(*command, command_line);
    options->group.add_ranks_to(*command);
    command->allow_extras();
    command->footer(
        "Every variant is verified on every cell before it is timed; if one is wrong, the exit "
        "code "
        "is 4.\n"
        "Google Benchmark flags are accepted as well: --benchmark_filter=REGEX, "
        "--benchmark_repetitions=N,\n"
        "--benchmark_enable_random_interleaving=true, --benchmark_list_tests=true.\n"
        "\n"
        "Examples:\n"
        "  camber run\n"
        "  camber run --variant 'halo/*' --variant 'shared_tile/64x4/*' --size 8192x8192\n"
        "  camber run --pattern workloads/life/patterns/gosper_glider_gun.rle --size 200x100\n"
        "  camber run --counters memory --variant '*64x4*'\n"
        "  camber run --workload water_flow --compose best_levels=shared_tile/64x4/align128\n"
        "  camber run --backend cpu --size 2048x2048\n"
        "  camber run --size 64x64..16384x16384 --variant 'halo/64x4/*'\n"
        "  camber run --variant 'halo/64x4/*' --trace timeline.json\n"
        "  mpirun -n 4 camber run --ranks --variant 'halo/64x4/*'");
    command->callback([&chosen, command, options, &command_line] {
        chosen = [command, options, &command_line] {
            if (!options->group.ranks) return run(*options, command->remaining(), command_line);
            check_ranks(*options);
            return run_as_rank(options->group.rank_timeout, command_line, [&](Communicator& ranks) {
                options->group.communicator = &ranks;
                return run(*options, command->remaining(), command_line);
            });
        };
    });
}

}  // namespace camber
