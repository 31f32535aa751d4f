// Page with the outcome of every published conclusion on each card, and the reasons.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/published/questions.hpp"
#include "analysis/published/table.hpp"
#include "harness/cli/reproduce/page.hpp"

namespace camber {

// One section per source. The cards' documents must be sorted by published::by_card().
std::string questions_page(const std::vector<published::Card>& cards, PageFormat format,
                           std::span<const published::Table* const> tables);
// Same for all published tables.
std::string questions_page(const std::vector<published::Card>& cards, PageFormat format);

}  // namespace camber
