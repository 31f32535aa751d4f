#include "harness/cli/try/captured_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <set>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/capture/capture_folder.hpp"
#include "harness/cli/candidate/candidates.hpp"
#include "harness/cli/candidate/own_problem.hpp"
#include "harness/cli/check/check_command.hpp"
#include "harness/cli/common/problem_options.hpp"
#include "harness/cli/model/modelling.hpp"
#include "harness/record/conditions.hpp"

namespace camber {

void choose_reference(OwnProblemOptions& own, bool workload_given, const RunOptions& run) {
    refuse_two_problems(own, workload_given, run);
    if (own.reference.empty() && own.expected.empty() && !workload_given)
        own.reference = reference_of_files(run);
}

TryCaptureOptions replay_options(const OwnProblemOptions& own, const RunOptions& run,
                                 const std::string& command,
                                 const std::vector<std::string>& command_line) {
    refuse_kernel_options(own);
    const std::set<std::string, std::less<>> used{
        "--backend",   "--cell",  "--counters", "--rounds", "--device",  "--ceilings", "--cache",
        "--candidate", "--sweep", "--set",      "--define", "--include", "--timeout"};
    for (const std::string& word : words_of(run))
        if (word.starts_with("--") && !used.contains(word))
            throw Error(
                ExitCode::usage,
                fmt::format("camber {} replays the captured launch {}, to which {} does not "
                            "apply: leave it out",
                            command, own.reference, word));
    const std::pair<const char*, bool> further[] = {{"--save", !run.save.empty()},
                                                    {"--trace", !run.trace.empty()},
                                                    {"--resume", run.resume},
                                                    {"--budget", !run.budget.empty()}};
    for (const auto& [option, given] : further)
        if (given)
            throw Error(
                ExitCode::usage,
                fmt::format("camber {} replays the captured launch {}, to which {} does not "
                            "apply: leave it out",
                            command, own.reference, option));
    const capture::CapturedReference reference = capture::captured_reference(own.reference);
    TryCaptureOptions options;
    options.folder = reference.folder.string();
    options.launch = reference.number;
    for (const std::string& given : run.candidates)
        for (const std::filesystem::path& file : kernel_files(given))
            options.candidates.push_back(file.string());
    options.sweeps = run.sweeps;
    options.settings = run.settings;
    options.definitions = run.definitions;
    options.include_folders = run.include_folders;
    options.tolerance = own.tolerance;
    options.cell = run.cell;
    options.timeout = run.timeout;
    options.device = run.device;
    options.rounds = run.rounds;
    options.counters = run.counters;
    if (names_file(run.ceilings)) options.ceilings = run.ceilings;
    options.command_line = command_line;
    return options;
}

std::optional<int> run_own_problem(OwnProblemOptions own, bool workload_given, RunOptions& run,
                                   const std::vector<std::string>& engine_flags,
                                   const std::vector<std::string>& command_line) {
    choose_reference(own, workload_given, run);
    const bool is_captured = capture::names_captured_launch(own.reference);
    const bool is_replay =
        run.backend == name(Backend::cuda) || (run.backend == "auto" && has_capture_device());
    if (is_captured && is_replay) {
        if (!engine_flags.empty())
            throw Error(ExitCode::usage,
                        fmt::format("argument '{}' is unknown for a captured launch: see camber "
                                    "run --help",
                                    engine_flags.front()));
        if (!has_capture_device())
            refuse_replay("without one, choose --backend simt, which needs candidates with source");
        TryCaptureOptions options = replay_options(own, run, "run", command_line);
        options.out = run.out.value_or(default_results);
        return try_capture(options);
    }
    if (is_captured) {
        if (run.backend == "auto") run.backend = name(Backend::simt);
        if (run.candidates.empty())
            refuse_replay(
                "without one, give a --candidate with source, which the executor runs over the "
                "captured inputs");
    }
    const bool is_own = !own.reference.empty() || !own.expected.empty();
    if (is_own && !run.input.empty()) own.inputs.push_back(std::exchange(run.input, ""));
    choose_problem(own, workload_given, run);
    // The reference kernel is a variant, too.
    const bool is_kernel = is_own && !is_captured && !own.reference.empty() &&
                           kind_of(own.reference) == FileKind::kernel;
    if (is_kernel && std::ranges::find(run.candidates, own.reference) == run.candidates.end())
        run.candidates.push_back(own.reference);
    return std::nullopt;
}

namespace {

// Looks for races and predicts the traffic of candidates with source for a captured launch, on the
// executor. Returns the exit code.
int check_captured(const TryFolder& options, const std::vector<std::string>& candidates,
                     const CommandLine& command_line) {
    constexpr std::uint64_t most_threads = 1 << 20;  // some seconds
    RunOptions with = options.run;
    for (const std::string& file : candidates)
        if (file.ends_with(".cu")) with.candidates.push_back(file);
    const std::string& folder = options.files.front();
    for (const capture::CapturedLaunch& launch : capture::read_capture(folder).file.launches) {
        std::uint64_t threads = 1;
        for (std::size_t k = 0; k < 3; ++k) threads *= launch.grid[k] * launch.block[k];
        OwnProblemOptions own;
        own.reference = fmt::format("{}@{}", folder, launch.number);
        fmt::print("\n");
        if (threads > most_threads) {
            fmt::print("launch {} has {} threads: camber check --reference {} --candidate {} looks "
                       "for races, and camber model predicts the traffic\n",
                       launch.number, threads, own.reference, with.candidates.front());
            continue;
        }
        RunOptions run = with;
        run.backend = name(Backend::simt);
        choose_problem(own, false, run);
        fmt::print("== Races, bounds, reads of unwritten memory of launch {} (on the executor)\n",
                   launch.number);
        std::fflush(stdout);
        if (const int code = run_checks({run}); code != 0) return code;
        fmt::print("\n== What launch {} asks of memory, by the model\n", launch.number);
        std::fflush(stdout);
        run_model(run, command_line);
    }
    return static_cast<int>(ExitCode::success);
}

}  // namespace

int try_folder(const TryFolder& options, const CommandLine& command_line) {
    std::vector<std::string> candidates(options.files.begin() + 1, options.files.end());
    candidates.insert(candidates.end(), options.candidates.begin(), options.candidates.end());
    const RunOptions& run = options.run;
    const int code =
        try_capture({options.files.front(), candidates, run.sweeps, run.settings, run.definitions,
                     run.include_folders, options.tolerance, run.cell, run.timeout, run.device,
                     run.rounds, options.watch, options.memcheck, run.counters,
                     options.ceilings, run.out.value_or(""), command_line, {}, options.trim});
    if (code != 0 || has_capture_device() ||
        std::ranges::none_of(candidates, [](const std::string& file) {
            return file.ends_with(".cu");
        }))
        return code;
    return check_captured(options, candidates, command_line);
}

}  // namespace camber

void camber_run_own_problem(const camber::OwnProblemOptions& own, bool workload_given,
                            camber::RunOptions& run, const std::vector<std::string>& engine_flags,
                            const std::vector<std::string>& command_line,
                            std::optional<int>& exit_code) {
    exit_code = camber::run_own_problem(own, workload_given, run, engine_flags, command_line);
}
