// Git repository of the commits in a history: names, times and order of commits, by the program
// git.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace camber {

// A commit as git describes it.
struct GitCommit {
    std::string hash;       // 40 digits
    std::int64_t time = 0;  // of the committer, seconds since 1970
    std::string subject;
};

class GitRepository {
  public:
    // Repository that contains `folder`; nullopt if there is none, or if git is not installed.
    static std::optional<GitRepository> around(const std::filesystem::path& folder);
    // Repository that the user named. Throws Error(usage) if `folder` is in none, and
    // Error(unavailable) if git is not installed.
    explicit GitRepository(const std::filesystem::path& folder);

    // Commit that `revision` names; nullopt if the repository does not contain it.
    std::optional<GitCommit> find(const std::string& revision) const;
    // Same. Throws Error(usage) with a remedy instead of returning nullopt.
    GitCommit commit(const std::string& revision) const;

    // Returns true if a tracked file differs from the checked out commit.
    bool is_dirty() const;

    // The commits in the order of the history, ancestors first. Throws Error(usage) for a commit
    // that the repository does not contain.
    std::vector<std::string> in_order(const std::vector<std::string>& hashes) const;
    // Returns true if `ancestor` is `commit` or one of its ancestors.
    bool is_ancestor(const std::string& ancestor, const std::string& commit) const;

    const std::filesystem::path& folder() const { return folder_; }

  private:
    GitRepository(std::filesystem::path program, std::filesystem::path folder)
        : program_(std::move(program)), folder_(std::move(folder)) {}
    std::optional<std::string> output(std::vector<std::string> arguments) const;

    std::filesystem::path program_;
    std::filesystem::path folder_;
};

}  // namespace camber
