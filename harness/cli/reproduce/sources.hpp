// Sources of results for published tables: results files in folders, and the runs that measure a
// table on this machine.
#pragma once

#include <string>
#include <vector>

#include "analysis/published/table.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Results files that stand beside published tables.

// Of each path, its results: a file's, or those of all results files in a folder and the folders in
// it, in the order of their names. Repetitions are merged. Throws Error(usage) where a path is
// absent, a folder has no results file, or a file cannot be read.
std::vector<results::Document> documents_from(const std::vector<std::string>& paths);

// The results files in `folder` and the folders in it, in the order of their names; repetitions are
// not merged.
std::vector<results::Document> documents_in(const std::string& folder);

// How a published table is measured on this machine.

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
