// The part of a table's page that has times predicted for the card of the source.
#pragma once

#include "harness/cli/reproduce/page_text.hpp"
#include "harness/cli/reproduce/predicting.hpp"

namespace camber {

void add_predicted(PageText& page, const PredictedTable& predicted);

}  // namespace camber
