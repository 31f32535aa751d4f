// Starts this program as several ranks, by mpirun or what does the same elsewhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/document.hpp"

namespace camber {

class RankLauncher {
  public:
    // `asked`: a program and its options, separated by blanks; "": those of the variable
    // CAMBER_LAUNCHER, or mpirun. Throws Error(unavailable) where there is no such program or this
    // one knows no MPI, and Error(usage) where a launcher has started this one.
    explicit RankLauncher(const std::string& asked);

    // "mpirun"
    const std::string& name() const { return words_.front(); }

    // What `camber run --ranks` with these further words measures as so many ranks. nullopt: a
    // signal stopped it before it had anything. Throws an Error that says what the ranks or the
    // launcher said where that fails.
    std::optional<results::Document> run(int ranks, const std::vector<std::string>& words) const;

  private:
    std::string program_;             // a path
    std::vector<std::string> words_;  // the name first
};

// Of what a launcher that failed wrote to standard error: the sentence for a person.
std::string launch_failure(const std::string& launcher, int ranks, const std::string& said,
                           int exit_code);

}  // namespace camber
