// The study that typed options mean.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/measure/study.hpp"

namespace camber {

// The workload that the options name, with its kernels, and the type of its cells. Throw
// Error(usage) for unknown names.
const Workload& workload_of(const RunOptions& options);
ElementType cell_of(const RunOptions& options, const Workload& workload);

// `auto` is cuda where a device is usable.
Backend chosen_backend(const RunOptions& options);

// Throws Error(usage) where the options ask for a graph, and for something of a group of GPUs that
// none can replay.
void check_graph(const RunOptions& options);

// Throws Error(usage) for what cannot be meant: unknown names, impossible sizes.
Study study_from(const RunOptions& options);

// Puts every variant on each of these groups in the place of the variant alone.
void divide(Study& study, const std::vector<GroupChoice>& choices);

// The same on every size of the list that --size is (size_list.hpp). Throws Error(usage) as above.
std::vector<Study> studies_from(const RunOptions& options);

}  // namespace camber
