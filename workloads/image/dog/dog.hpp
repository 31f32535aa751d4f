// The workloads `dog`, the difference of two blurred images, and `dog_image`, the difference of two
// blurs of one image.
#pragma once

#include <memory>

#include "workloads/core/workload.hpp"

namespace camber {

std::unique_ptr<Workload> make_dog();
std::unique_ptr<Workload> make_dog_image();

}  // namespace camber
