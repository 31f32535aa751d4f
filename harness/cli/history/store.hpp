// Folder of results by commit and machine, the history of a project: a compressed file for each
// addition, and a file that names the version of the format.
//
//     DIR/camber-history.json                            the version
//     DIR/NVIDIA_H200/1a2b3c4d5e6f-9f86d081884c7d65.json.gz
//
// An entry has two parts: a line of JSON with commit and machine, and then the results file as it
// was. Files are only ever added, under names that follow from their content, so that several jobs
// can write at the same time and branches of a repository that contains the folder can be merged.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/history/trend.hpp"
#include "harness/cli/history/git.hpp"
#include "harness/record/document.hpp"

namespace camber {

// First part of an entry.
struct HistoryEntry {
    history::Commit commit;
    history::Machine machine;
    std::string added;           // "2026-11-29T08:00:00Z"
    std::string source;          // name of the results file
    std::filesystem::path file;  // not stored
};

class HistoryFolder {
  public:
    enum class Missing { refused, created };
    // Throws Error(usage) if the folder is not a history, or one of another version. A folder that
    // is empty or does not exist becomes a history if `missing` says so.
    explicit HistoryFolder(std::filesystem::path folder, Missing missing = Missing::refused);

    // Adds a results file; returns the path of its entry. An equal file of the same commit and
    // machine is stored once: `is_new` is then false. Throws Error(incomparable) if the machine's
    // earlier results come from other hardware.
    struct Added {
        std::filesystem::path file;
        bool is_new = true;
    };
    Added add(const HistoryEntry& entry, std::string_view results) const;

    // All entries, ordered by machine and addition. Throws Error(usage) for a damaged file.
    std::vector<HistoryEntry> entries() const;

    // Results of an entry, with repeated measurements merged.
    static results::Document document(const HistoryEntry& entry);

    const std::filesystem::path& folder() const { return folder_; }

  private:
    std::filesystem::path folder_;
};

// Entries of one commit on one machine, in the order of their addition.
struct CommitResults {
    history::Commit commit;
    std::vector<HistoryEntry> entries;

    std::vector<results::Document> documents() const;
};

struct MachineHistory {
    history::Machine machine;
    std::vector<CommitResults> commits;  // from old to new
};

// Entries of each machine by commit: in the order of the repository's history if there is one,
// otherwise by the time of the commits. Commits with uncommitted changes follow their commit.
std::vector<MachineHistory> by_machine(const std::vector<HistoryEntry>& entries,
                                       const GitRepository* repository);

// Trends of all machines, or of the one with this name. `last`: maximum number of commits; 0: all.
// Throws Error(usage) if there is no such machine or no entry.
std::vector<history::MachineTrend> trends_of(const HistoryFolder& folder,
                                             const GitRepository* repository,
                                             const std::string& machine, std::size_t last,
                                             double threshold);

// The machine of that name in the history, or its only one for "". Throws Error(usage) that lists
// the machines if there are several, or none of that name.
const MachineHistory& machine_named(const std::vector<MachineHistory>& machines,
                                    const std::string& name, const std::string& folder);

// Hardware of a results file: GPU, or otherwise processor; for models, the compute capability of
// their rules.
history::Machine machine_of(const results::Document& document);

}  // namespace camber
