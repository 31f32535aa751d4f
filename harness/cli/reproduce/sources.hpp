// Sources of results for published tables: results files in folders, the runs that measure a table or
// a scaling series on this machine, and the page's sections about scaling.
#pragma once

#include <string>
#include <vector>

#include "analysis/published/table.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/reproduce/page.hpp"
#include "harness/cli/reproduce/reproduction.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Results files that are compared with published tables.

// Documents of each path: a file, or all results files in a folder and its subfolders, sorted by
// name. Repetitions are merged. Throws Error(usage) if a path does not exist, a folder has no
// results file, or a file is unreadable.
std::vector<results::Document> documents_from(const std::vector<std::string>& paths);

// Results files in `folder` and its subfolders, sorted by name; repetitions are not merged. If
// `damaged` is given, unreadable files are omitted and what is wrong with them is appended there.
std::vector<results::Document> documents_in(const std::string& folder,
                                            std::vector<std::string>* damaged = nullptr);

// Runs that measure a published table on this machine.

// Options of the table itself: its variants on its board, with cells of type `cell` ("": the
// workload's default).
RunOptions options_of(const published::Table& table, const std::string& cell);

// Sets the options for generated ground, unless it is "", and for cells of 1/refine of the side.
void set_board(RunOptions& options, const std::string& ground, int refine);

// Runs with these options on every board of the table: the plain references on the CPU, all others
// on the GPU. Boards with refined cells require an input, and boards with their own ground require
// none; other boards are omitted. If the options specify another size, only one board is used.
std::vector<RunOptions> runs_of(const published::Table& table, const RunOptions& options);

// Cell types of the table's entries; "" for the workload's default.
std::vector<std::string> cells_of(const published::Table& table);

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
