// The device's own limits, measured by the run that quotes them.
#pragma once

#include "harness/machine/queue/devices.hpp"
#include "harness/record/ceilings.hpp"

namespace camber {

// The runtime's copies between two buffers of up to 1 GiB each, and the whole suite
// (harness/measure/ceiling_suite.hpp), in a few seconds. `device`: the queue's, nullptr on the
// host's backends, where application bandwidth is not compared with anything and nothing is
// measured. Throws Error(wrong_result) where the device copies or computes wrongly.
Ceilings measure_ceilings(Queue& queue, const DeviceInfo* device);

}  // namespace camber
