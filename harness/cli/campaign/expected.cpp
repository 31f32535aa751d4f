#include "harness/cli/campaign/expected.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/origin.hpp"

namespace camber {

ExpectedTimes::ExpectedTimes(const std::vector<std::string_view>& campaigns,
                             const CampaignSettings& settings, const std::string& gpu) {
    for (const std::string_view text : campaigns) {
        results::Document document = results::parse_document(text, "an embedded campaign.json");
        if (!document.run() || !document.campaign) continue;
        if (document.campaign->backend != settings.backend ||
            document.campaign->quick != settings.quick)
            continue;
        const bool same_card = document.gpu() == gpu;
        if (!from_ || same_card) from_ = std::move(document);
        if (same_card) break;
    }
}

std::optional<double> ExpectedTimes::of(const Part& part) const {
    if (!from_) return std::nullopt;
    const auto& parts = from_->campaign->parts;
    for (const std::string& name : {part.name, part.alone}) {
        const auto found = std::ranges::find(parts, name, &results::CampaignPart::name);
        if (found != parts.end() && found->status == results::PartStatus::whole)
            return found->seconds;
    }
    return std::nullopt;
}

std::string ExpectedTimes::origin() const {
    if (!from_) return "";
    const std::string card = from_->gpu();
    return fmt::format("{}, commit {}", card.empty() ? "this CPU's kind" : card,
                       results::commit_text(*from_->run()));
}

}  // namespace camber
