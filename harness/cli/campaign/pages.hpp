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

// Pages for readers of a campaign's folder.

// Incomplete parts by reason, in the order of the parts; "not started" is one of the reasons.
std::vector<std::pair<std::string, std::vector<std::string>>> missing_parts(
    const std::vector<results::CampaignPart>& parts);

// Published tables with the measured values, as Markdown.
std::string campaign_tables_page(const std::vector<published::Card>& cards);

// Text of README.md: GPU and commit, every part with its command and time, and the missing parts.
// `folder`: the text links to the pages that exist in it. `results`: of the parts; those measured by
// another commit are listed.
std::string campaign_readme(const results::Document& campaign, const std::filesystem::path& folder,
                            const std::vector<published::Card>& results = {});

// Rewrites README.md and, with `all`, first tables.md, questions.md and report.html. `campaign`:
// state of the campaign. Pages that cannot be written are reported on standard error.
void write_campaign_pages(const std::filesystem::path& folder, const results::Document& campaign,
                          bool all);

// Summary of a campaign: its results files without the bulk data that only profiles need.

// Copies each results file in `folder` that has cases to `out`, which is created. Machine code
// beyond instruction counts, device states, and the times and counters of single kernels are
// omitted. Tables and questions give the same results from the copy. Particle workloads retain the
// times and counters of their kernels, which the questions about them need. Returns the number of
// files.
int write_campaign_summary(const std::filesystem::path& folder, const std::filesystem::path& out);

}  // namespace camber
