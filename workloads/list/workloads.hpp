// The list of workloads: one object each, found by name.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "workloads/workload.hpp"

namespace camber {

const std::vector<std::unique_ptr<Workload>>& workloads();

// The one of that name: of the list, or one that was added; nullptr if there is none.
const Workload* find_workload(std::string_view name);

// Adds one that the program does not have itself, to be found by its name. In the place of one of
// that name that was added before. The list stays as it is.
const Workload& add_workload(std::unique_ptr<Workload> workload);

}  // namespace camber
