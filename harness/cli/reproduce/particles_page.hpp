// What lists of neighbours and the order of particles bring on today's caches, for the page of
// questions.
#pragma once

#include <vector>

#include "analysis/published/cards.hpp"
#include "analysis/published/table.hpp"
#include "harness/cli/reproduce/page_text.hpp"

namespace camber {

// `table`: states the share of BuildNeibs in an iteration. Nothing where no card has particles.
void add_particles(PageText& page, const published::Table& table,
                   const std::vector<published::Card>& cards);

}  // namespace camber
