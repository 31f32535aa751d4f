// Pages in a campaign's folder that people read, and a summary of the folder without the bulk that
// only profiles need.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "analysis/published/questions.hpp"
#include "harness/record/document.hpp"

namespace camber {

// What a person reads in a campaign's folder.

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

// The summary of a campaign: its results files without the bulk that only profiles need.

// Writes each results file in `folder` that has cases to `out`, which is created, without machine
// code beyond instruction counts, device states, and the times and counters of single kernels.
// Tables and questions read the same from it. Particle workloads keep their kernels' times and
// counters, which the questions about them need. Returns the number of files.
int write_campaign_summary(const std::filesystem::path& folder, const std::filesystem::path& out);

}  // namespace camber
