// Page with the outcome of every published conclusion on each card, and the reasons.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/published/questions.hpp"
#include "analysis/published/table.hpp"
#include "harness/cli/reproduce/page.hpp"

namespace camber {

// One table per source. The documents of the cards are as published::by_card sorts them.
std::string questions_page(const std::vector<published::Card>& cards, PageFormat format,
                           std::span<const published::Table* const> tables);
// Of all published tables.
std::string questions_page(const std::vector<published::Card>& cards, PageFormat format);

}  // namespace camber
