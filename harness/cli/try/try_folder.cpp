#include "harness/cli/try/try_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/capture/capture_folder.hpp"
#include "harness/cli/candidate/own_problem.hpp"
#include "harness/cli/capture/try_capture.hpp"
#include "harness/cli/check/check_command.hpp"
#include "harness/cli/model/modelling.hpp"
#include "harness/record/conditions.hpp"

namespace camber {

namespace {

// Looks for races and predicts the traffic of candidates with source for a captured launch, on the
// executor. Returns the exit code.
int check_candidates(const TryFolder& options, const std::vector<std::string>& candidates,
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
    return check_candidates(options, candidates, command_line);
}

}  // namespace camber
