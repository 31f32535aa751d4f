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

// Expected duration of campaign parts, according to campaigns whose folders are in results/.

// Contents of results/*/campaign.json, embedded at build time.
const std::vector<std::string_view>& measured_campaigns();

class ExpectedTimes {
  public:
    // Uses those of `campaigns` on the same GPU, or otherwise on any GPU. Campaigns whose settings
    // differ in more than data folders are ignored.
    ExpectedTimes(const std::vector<std::string_view>& campaigns, const CampaignSettings& settings,
                  const std::string& gpu);

    // Expected seconds of a part. For a part over several GPUs that was never completed, the
    // duration of the corresponding part on one GPU. nullopt if neither is available.
    std::optional<double> of(const Part& part) const;
    // Source of the durations: "an NVIDIA H200, commit 1a2b3c4d5e6f"; "" if there is none.
    std::string origin() const;

  private:
    std::optional<results::Document> from_;
};

// A campaign part in a process of its own.
struct PartOutcome {
    double seconds = 0;
    // Reason for missing or incomplete results, unless the user stopped the part; "" after success.
    std::string failure;
};

// Number of variants that the part leaves out, as "9 of 79"; nullopt if its process does not report
// it within `seconds`.
std::optional<std::string> what_is_left_out(const Part& part, std::optional<double> seconds);

// Measures the part. Its results are written to NAME.json in the folder, and its output to
// NAME.txt. Its messages appear on standard error, prefixed by the part's name. `goes_on`: resumes
// from the existing results. `seconds`: time limit, after which the part stores what it has
// measured. `share`: the part's share of the machine. Stop signals are forwarded. A part that has
// stored nothing new for a quarter of an hour is killed. Throws Error if the folder cannot be
// written.
PartOutcome measure_part(const Part& part, const std::filesystem::path& folder, bool goes_on,
                         std::optional<double> seconds, const MachineShare& share = {});

}  // namespace camber
