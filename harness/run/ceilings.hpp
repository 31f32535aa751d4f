// The device's own limits, measured by the run that quotes them.
#pragma once

#include "harness/results/context.hpp"
#include "harness/run/case_runner.hpp"

namespace camber {

// Copies between two buffers of up to 1 GiB each. Measures nothing on the host's backends, where
// application bandwidth is not compared with anything.
Ceilings measure_ceilings(Queue& queue);

}  // namespace camber
