// Process that measures one campaign part, and its expected duration according to earlier
// campaigns.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/campaign/parts.hpp"
#include "harness/cli/common/child_process.hpp"
#include "harness/record/document.hpp"

namespace camber {

// How long the parts of a campaign take, by campaigns whose folders are in results/.

// The texts of results/*/campaign.json, as this program was built with them.
const std::vector<std::string_view>& measured_campaigns();

class ExpectedTimes {
  public:
    // Those of a campaign on the same card, or else of any card, among `campaigns`; none where
    // settings differ in more than data.
    ExpectedTimes(const std::vector<std::string_view>& campaigns, const CampaignSettings& settings,
                  const std::string& gpu);

    // Seconds; of a part over several GPUs that was not measured whole, those of the same on one
    // GPU. Nothing where neither was.
    std::optional<double> of(const Part& part) const;
    // "an NVIDIA H200, commit 1a2b3c4d5e6f"; "" where nothing is known.
    std::string origin() const;

  private:
    std::optional<results::Document> from_;
};

// One part of a campaign in a process of its own.
struct PartOutcome {
    double seconds = 0;
    // Why it has no results, or not all, though nobody stopped it; "" where it ended well.
    std::string failure;
};

// How many variants the part leaves out, as "9 of 79"; nothing where it does not say, or not within
// so many seconds.
std::optional<std::string> what_is_left_out(const Part& part, std::optional<double> seconds);

// Measures the part; its results go to NAME.json in the folder, and what it prints to NAME.txt.
// What it says of problems goes to standard error, after the part's name. `goes_on`: with the
// results that are there. `seconds`: after which it ends with what it has. `share`: of the machine.
// A signal to stop is passed on. One that has stored nothing new for a quarter of an hour is
// killed. Throws Error where the folder cannot be written.
PartOutcome measure_part(const Part& part, const std::filesystem::path& folder, bool goes_on,
                         std::optional<double> seconds, const MachineShare& share = {});

}  // namespace camber
