#include "harness/cli/common/guarded.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "harness/base/error.hpp"
#include "harness/base/guarded_process.hpp"
#include "harness/cli/common/terminal.hpp"

namespace camber {

namespace {

// Less would end ordinary compilations on a busy machine.
constexpr std::chrono::duration<double> shortest_compilation_limit{10};

bool is_given(const CLI::App& command, const char* option) {
    const CLI::Option* const known = command.get_option_no_throw(option);
    return known != nullptr && known->count() > 0;
}

// The limits of a command that runs candidates; nullopt: it runs camber's code alone.
std::optional<CandidateLimits> limits_of_candidates(const CLI::App& app) {
    const auto commands = app.get_subcommands();
    if (commands.empty()) return std::nullopt;
    const CLI::App& command = *commands.front();
    const bool tries = command.get_name() == "try" && is_given(command, "file");
    if (!tries && !is_given(command, "--candidate") && !is_given(command, "--reference"))
        return std::nullopt;
    CandidateLimits limits;
    if (is_given(command, "--timeout")) {
        limits.work = std::chrono::duration<double>(command.get_option("--timeout")->as<double>());
        limits.compilation = std::max(limits.work, shortest_compilation_limit);
    }
    return limits;
}

// The child had no time to erase its line.
void erase_progress() {
    if (isatty(STDERR_FILENO) == 0) return;
    if (escapes_unwanted())
        fmt::print(stderr, "\r{:{}}\r", "", progress_width() - 1);
    else
        fmt::print(stderr, "\r\033[K");
}

}  // namespace

std::optional<int> guard_candidates(const CLI::App& app) {
    const auto limits = limits_of_candidates(app);
    if (!limits) return std::nullopt;
    try {
        return run_guarded(*limits);
    } catch (const Error&) {
        erase_progress();
        throw;
    }
}

}  // namespace camber
