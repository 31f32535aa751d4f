// The workload `sciara_fv3`: lava flows with momentum and steps of varying duration.
#pragma once

#include <memory>

#include "workloads/core/workload.hpp"

namespace camber {

std::unique_ptr<Workload> make_sciara_fv3();

}  // namespace camber
