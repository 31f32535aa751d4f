// The workload `surface_water`: rain that runs off over a terrain, Parsons-type.
#pragma once

#include <memory>

#include "workloads/core/workload.hpp"

namespace camber {

std::unique_ptr<Workload> make_surface_water();

}  // namespace camber
