#include "harness/cli/common/guarded.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>

namespace camber {

namespace {

// Less would end ordinary compilations on a busy machine.
constexpr std::chrono::duration<double> shortest_compilation_limit{10};

bool is_given(const CLI::App& command, const char* option) {
    const CLI::Option* const known = command.get_option_no_throw(option);
    return known != nullptr && known->count() > 0;
}

}  // namespace

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

}  // namespace camber
