// Number of blocks of a kernel that fit on all SMs in use at once.
#pragma once

#include "harness/base/launch_shape.hpp"

namespace camber::cuda {

// On the calling thread's device, or on the partition of it that the thread has entered. Of `shape`
// block and dynamic shared memory count. Throws Error(unavailable) where CUDA fails.
int resident_blocks(const void* kernel, const LaunchShape& shape);

}  // namespace camber::cuda
