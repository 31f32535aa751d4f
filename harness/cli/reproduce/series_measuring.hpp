// Measures what stands beside a published scaling table.
#pragma once

#include <vector>

#include "analysis/published/table.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/record/document.hpp"

namespace camber {

// The table's variants as `options` say, on each of these numbers of GPUs, or, on the simt backend,
// of places that work as they do: a document for each rule of balance that the table's series have.
// All have the same times of one GPU, as the published series do. Throws what study_from() throws,
// and Error(usage) for cells that cannot be as small as the table's.
std::vector<results::Document> measure_series(const published::Table& table, RunOptions options,
                                              const std::vector<int>& counts,
                                              const CommandLine& command_line);

}  // namespace camber
