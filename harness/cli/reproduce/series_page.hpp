// What a page says of a scaling table: recomputed, measured on one unit, and on more and more.
#pragma once

#include "harness/cli/reproduce/page_text.hpp"
#include "harness/cli/reproduce/reproduction.hpp"

namespace camber {

// What stands in the columns that the others have; nothing where they have none.
void add_legend_of_scaling(PageText& page, const Reproduction& made);
// From the printed times or rates.
void add_scaling(PageText& page, const Reproduction& made);
void add_one_place(PageText& page, const Reproduction& made);
// Each beside the series of the table that was balanced as it was.
void add_measured_series(PageText& page, const Reproduction& made);

}  // namespace camber
