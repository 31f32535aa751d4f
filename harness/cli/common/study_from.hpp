// Builds a study from command-line options.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/measure/study.hpp"

namespace camber {

// Workload that the options name, with its kernels loaded, and its cell type. Both functions throw
// Error(usage) for unknown names.
const Workload& workload_of(const RunOptions& options);
ElementType cell_of(const RunOptions& options, const Workload& workload);

// `auto` selects cuda if a device is usable.
Backend chosen_backend(const RunOptions& options);

// Throws Error(usage) if the options combine --graph with a group feature that no graph can replay.
void check_graph(const RunOptions& options);

// Throws Error(usage) for invalid options: unknown names, impossible sizes.
Study study_from(const RunOptions& options);

// Replaces every variant by its divided forms on each of these groups.
void divide(Study& study, const std::vector<GroupChoice>& choices);

// One study for each size in --size (see sizes_in()). Throws Error(usage) as above.
std::vector<Study> studies_from(const RunOptions& options);

}  // namespace camber
