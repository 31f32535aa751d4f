// Replaces ceiling_suite.cpp if camber is built without CUDA.
#include "harness/base/error.hpp"
#include "harness/measure/ceilings/ceilings.hpp"

namespace camber {

Ceilings measure_ceiling_suite(Queue&, const DeviceInfo&, int) {
    throw Error(ExitCode::unavailable, "a GPU's limits cannot be measured: " + why_no_cuda());
}

}  // namespace camber
