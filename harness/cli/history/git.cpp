#include "harness/cli/history/git.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <set>
#include <sstream>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/machine/sass/tool.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes limit{2};

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

}  // namespace

std::optional<std::string> GitRepository::output(std::vector<std::string> arguments) const {
    // "--no-optional-locks": reading must not disturb a git command that runs at the same time.
    const std::vector<std::string> common{"--no-optional-locks", "-C", folder_.string()};
    arguments.insert(arguments.begin(), common.begin(), common.end());
    return output_of(program_, arguments, limit);
}

std::optional<GitRepository> GitRepository::around(const fs::path& folder) {
    const auto program = find_program("git");
    if (!program) return std::nullopt;
    GitRepository repository(*program, folder);
    if (!repository.output({"rev-parse", "--git-dir"})) return std::nullopt;
    return repository;
}

GitRepository::GitRepository(const fs::path& folder) : folder_(folder) {
    const auto program = find_program("git");
    if (!program)
        throw Error(ExitCode::unavailable,
                    "the program git is not installed: install it, or leave out --repository");
    program_ = *program;
    if (output({"rev-parse", "--git-dir"})) return;
    const ToolRun run =
        run_tool(program_, {"-C", folder_.string(), "rev-parse", "--git-dir"}, limit, {"", ""});
    throw Error(ExitCode::usage,
                fmt::format("--repository is '{}', which git cannot read: {}; give a folder of the "
                            "repository whose commits the history has",
                            folder_.string(), first_line(run.output)));
}

std::optional<GitCommit> GitRepository::find(const std::string& revision) const {
    if (revision.starts_with('-')) return std::nullopt;
    const auto hash = output({"rev-parse", "--verify", "--quiet", revision + "^{commit}"});
    if (!hash) return std::nullopt;
    GitCommit commit;
    commit.hash = first_line(*hash);
    const auto shown = output({"show", "--no-patch", "--format=%ct %s", commit.hash});
    if (!shown) return std::nullopt;
    const std::string line = first_line(*shown);
    const std::size_t blank = std::min(line.find(' '), line.size());
    std::from_chars(line.data(), line.data() + blank, commit.time);
    commit.subject = line.substr(std::min(blank + 1, line.size()));
    return commit;
}

GitCommit GitRepository::commit(const std::string& revision) const {
    if (const auto found = find(revision)) return *found;
    throw Error(ExitCode::usage,
                fmt::format("commit '{}' is not in the repository '{}': fetch it (git fetch "
                            "--unshallow in a shallow clone), or name another with --commit",
                            revision, folder_.string()));
}

bool GitRepository::is_dirty() const {
    const auto changes = output({"status", "--porcelain", "--untracked-files=no"});
    return changes && !changes->empty();
}

std::vector<std::string> GitRepository::in_order(const std::vector<std::string>& hashes) const {
    if (hashes.empty()) return {};
    std::vector<std::string> arguments{"rev-list", "--topo-order", "--reverse"};
    arguments.insert(arguments.end(), hashes.begin(), hashes.end());
    const auto list = output(arguments);
    if (!list)
        for (const std::string& hash : hashes) commit(hash);  // throws for the missing one
    const std::set<std::string> given(hashes.begin(), hashes.end());
    std::vector<std::string> ordered;
    std::istringstream lines(list.value_or(""));
    for (std::string line; std::getline(lines, line);)
        if (given.contains(line)) ordered.push_back(line);
    if (ordered.size() != given.size())
        throw Error(ExitCode::unavailable,
                    fmt::format("git cannot list the commits of '{}': leave out --repository to "
                                "order them by time",
                                folder_.string()));
    return ordered;
}

bool GitRepository::is_ancestor(const std::string& ancestor, const std::string& commit) const {
    return output({"merge-base", "--is-ancestor", ancestor, commit}).has_value();
}

}  // namespace camber
