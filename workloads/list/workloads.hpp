// The list of workloads: one object each, found by name.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "workloads/workload.hpp"

namespace camber {

const std::vector<std::unique_ptr<Workload>>& workloads();
const Workload* find_workload(std::string_view name);  // nullptr if there is none

}  // namespace camber
