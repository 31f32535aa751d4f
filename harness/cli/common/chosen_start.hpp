// What a run starts from, by its options: the initial state and the parameters that hold from it
// on.
#pragma once

#include "harness/cli/common/run_options.hpp"
#include "harness/measure/study.hpp"

namespace camber {

// Copies of the input, columns and rows of them.
Size chosen_tiles(const RunOptions& options, const Workload& workload);

// What is said of an eruption's ground makes sense.
void check_ground(const RunOptions& options, const Workload& workload);

// Sets them in a study whose workload, size, cells and boundary are chosen. All throw Error(usage).
void choose_start(Study& study, const RunOptions& options);

}  // namespace camber
