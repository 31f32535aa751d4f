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

// Measurement of a published scaling table.

// Measures the table's variants with `options` on each number of GPUs in `counts` or, on the simt
// backend, of simulated devices. Returns one document for each balancing rule in the table's
// series. All documents share the times of one GPU, as the published series do. Throws the errors
// of study_from(), and Error(usage) if cells cannot be as small as the table's.
std::vector<results::Document> measure_series(const published::Table& table, RunOptions options,
                                              const std::vector<int>& counts,
                                              const CommandLine& command_line);

// Page sections of a scaling table: recomputed, measured on one unit, and measured on several.

// Explains the columns of the following sections; adds nothing if there are none.
void add_legend_of_scaling(PageText& page, const Reproduction& made);
// Adds the analysis recomputed from the printed times or rates.
void add_scaling(PageText& page, const Reproduction& made);
void add_one_gpu(PageText& page, const Reproduction& made);
// Adds each measured series with the published series that has the same balancing rule.
void add_measured_series(PageText& page, const Reproduction& made);

}  // namespace camber
