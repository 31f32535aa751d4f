// Command `camber run`: options become studies, and sessions measure them.
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/problem_options.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/run/printing.hpp"
#include "harness/cli/run/run_parts.hpp"
#include "harness/machine/environment/host.hpp"
#include "harness/measure/case_result.hpp"
#include "harness/measure/correctness/reference_variants.hpp"
#include "harness/measure/engine.hpp"
#include "harness/measure/session.hpp"
#include "harness/record/document.hpp"
#include "harness/record/merge.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

struct Given {
    const char* option;
    bool given;
};

// Throws Error(usage) if `one` is given together with one of the others.
void refuse(Given one, std::initializer_list<Given> others) {
    if (!one.given) return;
    for (const Given& other : others)
        if (other.given)
            throw Error(ExitCode::usage,
                        fmt::format("{} cannot be combined with {}: leave out one of the two",
                                    one.option, other.option));
}

// Throws Error(usage) for options that exclude each other. `repetitions`: of Google Benchmark.
void check_combinations(const RunOptions& options, int repetitions) {
    if (repetitions > 1 && (options.rounds > 1 || options.processes > 1))
        throw Error(ExitCode::usage,
                    "--benchmark_repetitions cannot be combined with --rounds or --processes: "
                    "choose one of the three");
    const Given processes{"--processes", options.processes > 1};
    refuse({options.resume ? "--resume" : "--budget", options.resume || !options.budget.empty()},
           {processes,
            {"--benchmark_repetitions", repetitions > 1},
            {"--save", options.resume && !options.save.empty()}});
    // Other processes and earlier runs cannot contribute timelines.
    refuse({"--trace", !options.trace.empty()}, {processes, {"--resume", options.resume}});
    check_leave_out(options);
}

std::uint64_t new_seed() {
    std::random_device entropy;
    return entropy() & 0x7fffffff;
}

// A measurement of one or several studies, which differ in the board size. An ordinary run has one
// study and one session.
class Measurement {
  public:
    // `engine_flags`: arguments that are no options of camber.
    Measurement(RunOptions options, std::vector<std::string> engine_flags,
                const CommandLine& command_line);

    // Measures and prints the results. Returns the exit code.
    int run();

  private:
    enum class Opened { yes, too_large, stopped };

    bool has_several() const { return studies_.size() > 1; }
    const results::Document& document() const { return results_->document(); }
    Error no_time() const;
    void list();
    void open_outputs();
    bool resume();
    void leave_out_dominated();
    void measure_all();
    Opened open(std::optional<Session>& session, const Study& study, Narrator& narrator,
                Progress& progress);
    void save_final_state(const Study& study, const Session& session, bool is_last) const;
    void add_too_large();
    int report() const;

    RunOptions options_;
    const CommandLine& command_line_;
    bool lists_only_;
    int repetitions_;
    bool has_new_seed_;
    std::vector<Study> studies_;
    std::optional<DeviceInfo> device_;
    std::unique_ptr<results::ResultsFile> results_;
    std::optional<TraceFile> trace_;
    std::optional<Ceilings> ceilings_;             // of an earlier session
    std::vector<results::CaseRecord> too_large_;   // cases of boards that do not fit in memory
    std::map<std::string, std::string> failures_;  // reasons by quantity
};

Measurement::Measurement(RunOptions options, std::vector<std::string> engine_flags,
                         const CommandLine& command_line)
    : options_(std::move(options)),
      command_line_(command_line),
      lists_only_(asks_for_list(engine_flags)),
      repetitions_(configure_engine(engine_flags)),
      has_new_seed_(!options_.order_seed) {
    const Workload* const workload = find_workload(options_.workload);
    if (!engine_flags.empty()) {
        if (!workload) workload_of(options_);  // throws
        const std::string sentence = option_of_others(engine_flags, options_.workload);
        throw Error(ExitCode::usage,
                    sentence.empty()
                        ? fmt::format("argument '{}' is unknown: see camber run --help",
                                      engine_flags.front())
                        : sentence);
    }
    check_combinations(options_, repetitions_);
    if (repetitions_ > 1) options_.rounds = 1;
    if (has_new_seed_) options_.order_seed = new_seed();
    if (Communicator* const ranks = options_.group.communicator)
        options_.order_seed =
            std::stoull(ranks->broadcast(0, std::to_string(*options_.order_seed)));
    if (workload) add_reference_variants(registry(), *workload);
    studies_ = studies_from(options_);
}

int Measurement::run() {
    const StopSignals signals;
    if (options_.dry_run || lists_only_) {
        list();
        return static_cast<int>(ExitCode::success);
    }
    open_outputs();
    if (!resume()) {
        print_results(studies_, device_, document(), options_.sort, allows_summary(options_));
        fmt::print("all cases in {} are already measured\n", results_path(options_));
        return exit_code_of(document());
    }
    const auto budget = parse_duration(options_.budget);
    if (budget) stop_after(std::max(0.0, *budget - process_age_seconds()));
    if (options_.leave_out_dominated) leave_out_dominated();
    if (options_.processes > 1)
        return run_processes(options_, studies_, device_, command_line_, *results_);
    // The estimate costs trial runs and is printed only to a terminal.
    if (isatty(STDERR_FILENO) != 0)
        for (const Study& study : studies_)
            say_cost(simt_forecast(study, options_.backend == "auto"));
    measure_all();
    for (const std::string& sentence : describe_failures(failures_)) say_error(sentence);
    if (!too_large_.empty() && !stopping()) add_too_large();
    if (!document().cases.empty()) return report();
    if (stop_signal() != 0) throw Stopped();
    if (stopping()) throw no_time();
    return static_cast<int>(ExitCode::success);
}

Error Measurement::no_time() const {
    return {ExitCode::unavailable,
            fmt::format("--budget {} ended before a case was measured: give more time",
                        options_.budget)};
}

// Prints what would be measured.
void Measurement::list() {
    if (options_.dry_run) {
        for (const std::string& line : leave_out(studies_, options_)) fmt::print("{}\n", line);
        return;
    }
    for (const Study& study : studies_) list_cases(study);
}

void Measurement::open_outputs() {
    results_ = checked_outputs(options_, studies_);
    if (!options_.trace.empty() && !is_further_rank(options_)) trace_.emplace(options_.trace);
    device_ = device_of(studies_.front());
}

// Starts from the results of an earlier run, if requested. Returns false if they are complete.
bool Measurement::resume() {
    auto earlier = earlier_results(options_, results_path(options_), command_line_, device_);
    if (!earlier) return true;
    const results::Run& before = *earlier->run();
    if (has_new_seed_ && before.sampling)
        for (Study& study : studies_) study.order_seed = before.sampling->order_seed;
    results_->start_from(std::move(*earlier));
    if (!options_.leave_out_dominated)
        results_->amend([&](results::Document& document) { take_back(document, studies_); });
    return document().run()->incomplete.has_value();
}

void Measurement::leave_out_dominated() {
    try {
        for (const std::string& line : leave_out(studies_, options_)) fmt::print("{}\n", line);
    } catch (const Stopped&) {
        // An expired time budget is handled when cases are measured.
        if (stop_signal() != 0) throw;
    }
    std::fflush(stdout);
    if (document().run())
        results_->amend([&](results::Document& document) { take_back(document, studies_); });
}

// One session per study.
void Measurement::measure_all() {
    Progress progress;
    if (is_further_rank(options_)) ceilings_.emplace();  // only rank 0 measures its ceilings
    std::int64_t to_come = cases_of(studies_);
    for (const Study& study : studies_) {
        if (has_several() && stopping()) break;
        to_come -= static_cast<std::int64_t>(cases_of(study).size());
        Narrator narrator(study, progress, trace_ ? &*trace_ : nullptr);
        std::optional<Session> session;
        const Opened opened = open(session, study, narrator, progress);
        if (opened == Opened::stopped) break;
        if (opened == Opened::too_large) continue;
        try {
            session->run(*results_, command_line_, repetitions_, static_cast<int>(to_come));
        } catch (const Error& error) {
            if (options_.group.communicator && document().run())
                throw with_stored_results(error, *results_);
            throw;
        }
        ceilings_ = session->ceilings();
        failures_.insert(session->failures().begin(), session->failures().end());
        save_final_state(study, *session, to_come == 0);
    }
    progress.clear();
}

// Adds the cases of a study that does not fit in memory to `too_large_`.
Measurement::Opened Measurement::open(std::optional<Session>& session, const Study& study,
                                      Narrator& narrator, Progress& progress) {
    try {
        session.emplace(study, narrator, ceilings_, ceilings_ ? 0 : process_age_seconds());
        return Opened::yes;
    } catch (const Stopped&) {
        progress.clear();
        if (document().run()) return Opened::stopped;
        if (stop_signal() != 0) throw;
        throw no_time();
    } catch (const Error& error) {
        if (!has_several() || error.remedy() != Remedy::smaller_board) throw;
        for (const Case& chosen : cases_of(study)) {
            results::CaseRecord& record = too_large_.emplace_back(record_of(study, chosen));
            record.status = results::Status::skipped;
            record.reason = error.what();
        }
        return Opened::too_large;
    }
}

// Writes the file that --save names, if the study is measured completely.
void Measurement::save_final_state(const Study& study, const Session& session, bool is_last) const {
    if (options_.save.empty() || studies_.front().process != 0 || is_further_rank(options_)) return;
    const results::CaseRecord* const saved = final_case(study, document());
    if (!saved || (is_last ? document().run()->incomplete.has_value() : stopping())) return;
    study.workload->save(final_state_of(*saved, session.runner()),
                         save_path(options_, studies_, study),
                         {study.initial, study.problem.parameters, study.generations,
                          fmt::format("camber: {}", describe_run(study, size_text(study), device_)),
                          session.runner().exact()});
}

void Measurement::add_too_large() {
    if (!document().run())
        throw Error(ExitCode::unavailable, too_large_.front().reason, Remedy::smaller_board);
    results_->amend([&](results::Document& document) {
        for (results::CaseRecord& record : too_large_)
            results::merge(document, std::move(record), studies_.front().sampling.seed);
        document.context.run->incomplete.reset();
    });
}

// Prints the results and the files written. Returns the exit code.
int Measurement::report() const {
    print_results(studies_, device_, document(), options_.sort, allows_summary(options_));
    if (trace_) fmt::print("{}", trace_->summary(studies_.front().time));
    const bool stopped = document().run()->incomplete.has_value();
    print_outputs(options_, studies_, *results_, !stopped && studies_.front().process == 0);
    if (stopped)
        say_stopped(
            document(),
            options_.group.communicator ? "stopped by a signal, which mpirun sends when a rank dies"
            : stop_signal() != 0
                ? "stopped"
                : fmt::format("--budget {} is used up; --resume continues", options_.budget));
    const int code = exit_code_of(document());
    const bool untraced = failures_.contains(timeline_failure);
    return untraced && code == 0 ? static_cast<int>(ExitCode::unavailable) : code;
}

int run(const RunOptions& options, const std::vector<std::string>& engine_flags,
        const CommandLine& command_line) {
    try {
        return Measurement(options, engine_flags, command_line).run();
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
    const auto own = std::make_shared<OwnProblemOptions>();
    own->add_rare_to(*command);
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
        "  camber run --workload water_flow --compose best_levels=shared_tile/64x4/align128\n"
        "  camber run --candidate fast.cu --reference plain.cu\n"
        "  camber run --size 64x64..16384x16384 --variant 'halo/64x4/*'\n"
        "  mpirun -n 4 camber run --ranks --variant 'halo/64x4/*'");
    command->callback([&chosen, command, options, own, &command_line] {
        chosen = [command, options, own, &command_line] {
            if (own->is_given() || !options->candidates.empty())
                if (const auto code = user_problem(*own, command->count("--workload") > 0, *options,
                                                   command->remaining(), command_line))
                    return *code;
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
