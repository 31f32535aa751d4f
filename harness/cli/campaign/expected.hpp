// How long the parts of a campaign take, by campaigns whose folders are in results/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/campaign/parts.hpp"
#include "harness/record/document.hpp"

namespace camber {

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

}  // namespace camber
