// Workload `transfer_overlap`: an array that is uploaded, computed and downloaded in parts, to
// measure how much of the transfers a device hides under its kernels.
#pragma once

#include <memory>

#include "workloads/core/workload.hpp"

namespace camber {

std::unique_ptr<Workload> make_transfer_overlap();

}  // namespace camber
