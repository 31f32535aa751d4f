// The workload `magflow`: lava flows as a Bingham fluid, in steps of variable length.
#pragma once

#include <memory>

#include "workloads/core/workload.hpp"

namespace camber {

std::unique_ptr<Workload> make_magflow();

}  // namespace camber
