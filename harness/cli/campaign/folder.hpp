// The folder that a campaign writes, and what is in it already.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/cli/campaign/parts.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Its results files are the truth; campaign.json adds how long parts took and why they failed.
class CampaignFolder {
  public:
    enum class Use { begin, go_on, look };
    // Makes the folder where there is none, unless it is only looked into. Throws Error(usage)
    // where a campaign is to begin in a folder that holds files, Error(unavailable) where it cannot
    // be written or another campaign writes it.
    CampaignFolder(std::filesystem::path path, Use use);

    const std::filesystem::path& path() const { return path_; }

    // What campaign.json says; nothing where there is none, or none that can be read.
    const std::optional<results::Document>& before() const { return before_; }

    // All results files of the folder. Throws Error(usage) where one was measured by another
    // commit, build or card than `now` tells of. Of one of `parts` that measures the CPU, it is the
    // processor that counts.
    std::vector<results::Document> results(const results::Run& now,
                                           const std::vector<Part>& parts) const;

    // How far the part is; one that left out variants is not whole for a part that does not. Throws
    // Error(usage) where its file comes from another command.
    results::CampaignPart state(const Part& part,
                                const std::vector<results::Document>& results) const;

    // Writes campaign.json, in a folder that is not only looked into. `context` tells of program
    // and card.
    void store(const results::Context& context, const results::Campaign& campaign);

  private:
    std::filesystem::path path_;
    std::optional<AtomicFile> file_;
    std::optional<results::Document> before_;
};

}  // namespace camber
