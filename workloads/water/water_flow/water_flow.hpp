// The workload `water_flow`: water that finds its level on a terrain.
#pragma once

#include <memory>

#include "workloads/core/workload.hpp"

namespace camber {

std::unique_ptr<Workload> make_water_flow();

}  // namespace camber
