// Workload `blur`: a 3x3 blur of a grayscale image, repeated in every generation.
#pragma once

#include <memory>

#include "workloads/core/workload.hpp"

namespace camber {

std::unique_ptr<Workload> make_blur();

}  // namespace camber
