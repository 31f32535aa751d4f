// Published scaling tables: the measurement of their series on this machine, and the sections of
// the page about them.
#pragma once

#include <vector>

#include "analysis/published/table.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/reproduce/page.hpp"
#include "harness/cli/reproduce/reproduction.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Measures what stands beside a published scaling table.

// The table's variants as `options` say, on each of these numbers of GPUs, or, on the simt backend,
// of places that work as they do: a document for each rule of balance that the table's series have.
// All have the same times of one GPU, as the published series do. Throws what study_from() throws,
// and Error(usage) for cells that cannot be as small as the table's.
std::vector<results::Document> measure_series(const published::Table& table, RunOptions options,
                                              const std::vector<int>& counts,
                                              const CommandLine& command_line);

// What a page says of a scaling table: recomputed, measured on one unit, and on more and more.

// What stands in the columns that the others have; nothing where they have none.
void add_legend_of_scaling(PageText& page, const Reproduction& made);
// From the printed times or rates.
void add_scaling(PageText& page, const Reproduction& made);
void add_one_place(PageText& page, const Reproduction& made);
// Each beside the series of the table that was balanced as it was.
void add_measured_series(PageText& page, const Reproduction& made);

}  // namespace camber
