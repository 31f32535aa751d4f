// Workload `gaussian`: a blur of a grayscale image by a Gaussian of any radius up to 16, repeated
// in every generation.
#pragma once

#include <memory>

#include "workloads/core/workload.hpp"

namespace camber {

std::unique_ptr<Workload> make_gaussian();

}  // namespace camber
