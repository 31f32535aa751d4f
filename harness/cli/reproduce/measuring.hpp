// How a published table is measured on this machine.
#pragma once

#include <string>
#include <vector>

#include "analysis/published/table.hpp"
#include "harness/cli/common/run_options.hpp"

namespace camber {

// As the table itself says: its variants on its board, in cells of that type ("": the workload's
// own).
RunOptions options_of(const published::Table& table, const std::string& cell);

// The run of the plain references on the CPU, and that of all others on the GPU; without those that
// have no variants.
std::vector<RunOptions> by_machine(const RunOptions& options);

// The types of cells that the table is about; "" for the workload's own.
std::vector<std::string> cells_of(const published::Table& table);

}  // namespace camber
