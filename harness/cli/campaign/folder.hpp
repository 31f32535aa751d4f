// The folder that a campaign writes, and the results that it already contains.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/cli/campaign/parts.hpp"
#include "harness/record/document.hpp"

namespace camber {

// A part's results file: NAME.json.zst, or the NAME.json that is there already.
std::filesystem::path results_file(const std::filesystem::path& folder, const std::string& part);

// The results files in the folder are authoritative; campaign.json adds the duration of each part
// and the reasons for failures.
class CampaignFolder {
  public:
    enum class Use { begin, go_on, look };
    // Creates the folder if it does not exist, unless it is only read. Throws Error(usage) if a new
    // campaign is to start in a folder with files, and Error(unavailable) if the folder cannot be
    // written or another campaign is writing it.
    CampaignFolder(std::filesystem::path path, Use use);

    const std::filesystem::path& path() const { return path_; }

    // Contents of campaign.json; nullopt if the file does not exist or is unreadable.
    const std::optional<results::Document>& before() const { return before_; }

    // All results files of the folder. Throws Error(usage) if a file was measured by another
    // commit, build or GPU than `now` states. For parts that measure the CPU, the processor is
    // compared instead of the GPU.
    std::vector<results::Document> results(const results::Run& now,
                                           const std::vector<Part>& parts) const;

    // State of a part. A part whose file left out variants is incomplete if the part itself does
    // not leave out variants. Throws Error(usage) if the file was measured by another command.
    results::CampaignPart state(const Part& part,
                                const std::vector<results::Document>& results) const;

    // Writes campaign.json; the folder must not be opened for reading only. `context`: program and
    // GPU.
    void store(const results::Context& context, const results::Campaign& campaign);

  private:
    std::filesystem::path path_;
    std::optional<AtomicFile> file_;
    std::optional<results::Document> before_;
};

}  // namespace camber
