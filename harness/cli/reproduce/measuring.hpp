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

// The runs of such options on every board that the table is about: the plain references on the CPU,
// and all others on the GPU. Boards of divided cells need an input, those of a ground of their own
// need none; the others are left out, and so are all but one where the options have another size.
std::vector<RunOptions> runs_of(const published::Table& table, const RunOptions& options);

// The types of cells that the table is about; "" for the workload's own.
std::vector<std::string> cells_of(const published::Table& table);

}  // namespace camber
