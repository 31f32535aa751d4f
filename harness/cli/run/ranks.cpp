#include "harness/cli/run/ranks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "harness/base/error.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/cli/common/remedies.hpp"
#include "harness/cli/common/terminal.hpp"
#include "harness/results/build_info.hpp"
#include "harness/run/reference_cache.hpp"

namespace camber {

namespace {

// What all ranks have to say, too, goes nowhere; returns where this one can still complain.
int silence() {
    const int errors = dup(STDERR_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
    return errors;
}

// Open MPI sends SIGTERM to all ranks when one dies, and SIGKILL a second later, or as soon as
// another one ends. By then rank 0 has to have written what it has.
void let_first_rank_end(const Communicator& ranks) {
    if (ranks.rank() > 0) std::this_thread::sleep_for(std::chrono::seconds(2));
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
    Communicator ranks(open_transport(), patience);
    const int errors = ranks.rank() > 0 ? silence() : STDERR_FILENO;
    try {
        check_alike(ranks, command_line);
        const int code = run(ranks);
        // A signal reaches each at another moment.
        if (stop_signal() != 0) {
            let_first_rank_end(ranks);
        } else {
            ranks.barrier();
            ranks.finish();
        }
        return code;
    } catch (const Stopped&) {
        let_first_rank_end(ranks);
        throw;
    } catch (const Error& error) {
        // Where all fail alike, rank 0 says why.
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
