// Everything the device can do at most, as far as camber's kernels can run into it: measured, with
// working sets from far inside L2 to far outside.
#pragma once

#include "harness/machine/queue/devices.hpp"
#include "harness/record/ceilings.hpp"

namespace camber {

// All but copy_bytes_per_second. Each figure is a median of samples of 1 ms and more. `queue` must
// be of the cuda backend and work on `device`. Throws Error(wrong_result) where the device copies
// or computes wrongly. Where work is to end, what was measured until then is returned.
Ceilings measure_ceiling_suite(Queue& queue, const DeviceInfo& device, int samples_per_figure = 11);

}  // namespace camber
