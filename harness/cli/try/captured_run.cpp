#include "harness/cli/try/captured_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/capture/capture_folder.hpp"
#include "harness/cli/candidate/candidates.hpp"
#include "harness/cli/candidate/own_problem.hpp"
#include "harness/cli/common/problem_options.hpp"
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

}  // namespace camber

void camber_run_own_problem(const camber::OwnProblemOptions& own, bool workload_given,
                            camber::RunOptions& run, const std::vector<std::string>& engine_flags,
                            const std::vector<std::string>& command_line,
                            std::optional<int>& exit_code) {
    exit_code = camber::run_own_problem(own, workload_given, run, engine_flags, command_line);
}
