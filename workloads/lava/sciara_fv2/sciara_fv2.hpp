// The workload `sciara_fv2`: lava flows that cool and solidify.
#pragma once

#include <memory>

#include "workloads/core/workload.hpp"

namespace camber {

std::unique_ptr<Workload> make_sciara_fv2();

}  // namespace camber
