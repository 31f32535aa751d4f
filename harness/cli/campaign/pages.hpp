// What a person reads in a campaign's folder.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "analysis/published/cards.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Parts that are not whole, by the reason, in the order of the parts: "not started" is one too.
std::vector<std::pair<std::string, std::vector<std::string>>> missing_parts(
    const std::vector<results::CampaignPart>& parts);

// The published tables beside what was measured, as Markdown.
std::string campaign_tables_page(const std::vector<published::Card>& cards);

// README.md: which card and commit, every part with its command and time, and what is missing.
// `folder`: links are made to the pages that it has.
std::string campaign_readme(const results::Document& campaign, const std::filesystem::path& folder);

// Renews README.md and, with `all`, tables.md, questions.md and report.html
// before it. `campaign`: its state.
// What cannot be made is named on standard error.
void write_campaign_pages(const std::filesystem::path& folder, const results::Document& campaign,
                          bool all);

}  // namespace camber
