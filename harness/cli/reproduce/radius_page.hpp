// At which radius of the neighbourhood shared memory pays, and what else does, for the page of
// questions.
#pragma once

#include <vector>

#include "analysis/published/cards.hpp"
#include "harness/cli/reproduce/page_text.hpp"

namespace camber {

// Nothing where no card has a series over the radius.
void add_radius(PageText& page, const std::vector<published::Card>& cards);

}  // namespace camber
