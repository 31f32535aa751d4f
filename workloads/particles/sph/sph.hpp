// Workload `sph`: water as particles whose neighbors must be searched.
#pragma once

#include <memory>

#include "workloads/core/workload.hpp"

namespace camber {

std::unique_ptr<Workload> make_sph();

}  // namespace camber
