#include "harness/cli/run/run_parts.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/process.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/child_process.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/run/printing.hpp"
#include "harness/measure/ceilings/ceilings.hpp"
#include "harness/measure/correctness/reference_cache.hpp"
#include "harness/measure/engine.hpp"
#include "harness/record/context.hpp"
#include "harness/record/document.hpp"
#include "harness/record/merge.hpp"

namespace camber {

// Repeats a measurement in several fresh processes, so that effects that vary between processes
// (memory addresses, initial clock of the device) are visible and averaged.

// Runs this program again as process `index` (from 0), with the arguments of `command_line` except
// `--out`, and returns its results. Its machine-readable output is discarded; its messages are
// passed to standard error. Stop signals are forwarded; the document then contains the results so
// far, if any. Throws Error with the process's exit code if it failed for any reason except a wrong
// variant.
results::Document run_process(const CommandLine& command_line, int index, std::uint64_t order_seed);

namespace fs = std::filesystem;

results::Document run_process(const CommandLine& command_line, int index,
                              std::uint64_t order_seed) {
    const TemporaryFolder folder("write the results of a process");
    const fs::path file = folder.path() / default_results;
    std::vector<std::string> arguments = command_line;
    // If an option is given twice, the last one takes effect.
    for (const std::string& argument :
         {std::string("--processes=1"), fmt::format("--process-index={}", index),
          fmt::format("--order-seed={}", order_seed), "--out=" + file.string()})
        arguments.push_back(argument);
    ChildProcess child(arguments);
    std::optional<int> code = wait_for(child);
    if (!code && stop_signal() == 0) code = static_cast<int>(ExitCode::unavailable);
    std::error_code ignored;
    if (!code)
        return fs::exists(file, ignored) ? results::read_document(file) : results::Document();
    if (*code != static_cast<int>(ExitCode::success) &&
        *code != static_cast<int>(ExitCode::wrong_result))
        throw Error(
            static_cast<ExitCode>(*code),
            fmt::format("process {} of the measurement ended with exit code {}; the results "
                        "of earlier processes are kept",
                        index, *code));
    return results::read_document(file);
}

std::int64_t cases_of(const std::vector<Study>& studies) {
    std::int64_t cases = 0;
    for (const Study& study : studies) cases += static_cast<std::int64_t>(cases_of(study).size());
    return cases;
}

int run_processes(const RunOptions& options, const std::vector<Study>& studies,
                  const std::optional<DeviceInfo>& device, const CommandLine& command_line,
                  results::ResultsFile& results) {
    const Study& study = studies.front();
    const std::string baseline = baseline_name(*study.workload, registry());
    Progress progress;
    const std::int64_t cases = cases_of(studies);
    const std::int64_t visits = cases * study.rounds;  // of one process
    for (int index = 0; index < options.processes && stop_signal() == 0; ++index) {
        progress.show(index, options.processes, "processes");
        results::Document measured = run_process(command_line, index, study.order_seed);
        const auto so_far = measured.run() ? measured.run()->incomplete : std::nullopt;
        if (!measured.run()) break;  // stopped before any case was measured
        results.amend([&](results::Document& document) {
            if (!document.context.run) {
                document.context = measured.context;
                document.context.run->command = command_line;
                if (auto& sampling = document.context.run->sampling)
                    sampling->processes = options.processes;
            }
            if (auto& wall = document.context.run->wall; index > 0 && wall)
                *wall += measured.context.run->wall.value_or(results::WallTime());
            for (results::CaseRecord& record : measured.cases)
                results::merge(document, std::move(record), study.sampling.seed);
            results::add_speedups(document.cases, baseline);
            add_limits(document);
            auto& incomplete = document.context.run->incomplete;
            incomplete.reset();
            if (so_far || index + 1 < options.processes)
                incomplete = {static_cast<std::int64_t>(document.cases.size()), cases,
                              index * visits + (so_far ? so_far->visits : visits),
                              options.processes * visits};
        });
    }
    progress.clear();
    if (!results.document().run()) throw Stopped();
    print_results(studies, device, results.document(), options.sort);
    const bool stopped = stop_signal() != 0;
    print_outputs(options, studies, results, !stopped);
    if (stopped) say_stopped(results.document());
    return exit_code_of(results.document());
}

namespace {

// Discards output that all ranks would repeat; returns a descriptor for this rank's own errors.
int silence() {
    const int errors = dup(STDERR_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
    return errors;
}

// Open MPI sends SIGTERM to all ranks when one dies, and SIGKILL a second later, or as soon as
// another one ends. Rank 0 must have written its results before that.
void let_first_rank_end(const Communicator& ranks) {
    if (ranks.rank() > 0) std::this_thread::sleep_for(std::chrono::seconds(2));
}

// Time limit for starting and ending the ranks, because MPI calls cannot be interrupted while
// another rank does not respond. Ends the process unless this object is destroyed in time.
class Deadline {
  public:
    Deadline(double seconds, std::string sentence)
        : sentence_(std::move(sentence)), watch_([this, seconds](std::stop_token stop) {
              std::mutex mutex;
              std::unique_lock lock(mutex);
              std::condition_variable_any woken;
              woken.wait_for(lock, stop, std::chrono::duration<double>(seconds),
                             [] { return false; });
              if (!stop.stop_requested()) end();
          }) {}

  private:
    // mpirun ends all ranks after the first one, so the other ranks need not report the error.
    [[noreturn]] void end() const {
        for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
            if (const char* const rank = std::getenv(variable);
                rank && std::string_view(rank) != "0") {
                std::this_thread::sleep_for(std::chrono::milliseconds(500));
                break;
            }
        dprintf(STDERR_FILENO, "camber: %s\n", sentence_.c_str());
        _exit(static_cast<int>(ExitCode::unavailable));
    }

    std::string sentence_;
    std::jthread watch_;  // declared last, because the thread reads the other members
};

std::unique_ptr<Transport> open_in_time(double patience) {
    const Deadline deadline(
        patience,
        fmt::format("MPI has not brought all ranks together in {} s (--rank-timeout): one "
                    "has not been started, hangs, or is another program",
                    patience));
    return open_transport();
}

void finish_in_time(Communicator& ranks, double patience) {
    const Deadline deadline(
        patience,
        fmt::format("a rank has not ended {} s after the others (--rank-timeout); all that "
                    "was measured is stored",
                    patience));
    ranks.finish();
}

void check_alike(Communicator& ranks, const CommandLine& command_line) {
    const auto first_other = [&](const std::string& own) {
        const std::vector<std::string> all = ranks.all_of(own);
        for (std::size_t rank = 1; rank < all.size(); ++rank)
            if (all[rank] != all[0]) return static_cast<int>(rank);
        return 0;
    };
    if (const int other = first_other(
            fmt::format("{} {} {}", build_info::version, build_info::git_commit, program_mark())))
        throw Error(ExitCode::usage,
                    fmt::format("rank {} is another build of camber than rank 0: start the same "
                                "one on all",
                                other));
    if (const int other = first_other(
            fmt::format("{}", fmt::join(command_line.begin() + 1, command_line.end(), "\n"))))
        throw Error(ExitCode::usage, fmt::format("rank {} was started with other arguments than "
                                                 "rank 0: give all the same",
                                                 other));
}

}  // namespace

void check_ranks(const RunOptions& options) {
    const char* const other = options.processes > 1     ? "--processes"
                              : options.resume          ? "--resume"
                              : !options.budget.empty() ? "--budget"
                              : options.intervals > 0   ? "--intervals"
                              : options.graph           ? "--graph"
                              : options.group.gpus > 0  ? "--gpus"
                                                        : nullptr;
    if (other)
        throw Error(
            ExitCode::usage,
            fmt::format("--ranks cannot be combined with {}: leave out one of the two", other));
}

int run_as_rank(double patience, const CommandLine& command_line,
                const std::function<int(Communicator&)>& run) {
    Communicator ranks(open_in_time(patience), patience);
    const int errors = ranks.rank() > 0 ? silence() : STDERR_FILENO;
    try {
        check_alike(ranks, command_line);
        const int code = run(ranks);
        // Ranks receive a signal at different times.
        if (stop_signal() != 0) {
            let_first_rank_end(ranks);
        } else {
            ranks.barrier();
            finish_in_time(ranks, patience);
        }
        return code;
    } catch (const Stopped&) {
        let_first_rank_end(ranks);
        throw;
    } catch (const Error& error) {
        // If all ranks fail alike, rank 0 reports the reason.
        if (ranks.rank() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(500));
        finish_output();
        std::fflush(stdout);
        dprintf(errors, "camber: %s%s\n",
                ranks.rank() > 0 ? fmt::format("rank {}: ", ranks.rank()).c_str() : "",
                sentence(error).c_str());
        ranks.abort(static_cast<int>(error.code()));
    }
}

}  // namespace camber
