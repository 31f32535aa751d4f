// Everything the device can do at most, as far as camber's kernels can run into it: measured, with
// working sets from far inside L2 to far outside.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/backend/devices.hpp"

namespace camber {

struct CeilingCurvePoint {
    std::size_t bytes = 0;  // the working set: all arrays together
    double bytes_per_second = 0;
};

using CeilingCurve = std::vector<CeilingCurvePoint>;  // sizes ascending

// Bandwidths count bytes read plus bytes written.
struct CeilingSuite {
    CeilingCurve copy;
    CeilingCurve read;
    CeilingCurve write;
    CeilingCurve triad;
    double l2_bytes_per_second = 0;  // the highest of the curves, set an eighth to a half of L2
    double shared_bytes_per_second = 0;
    double l1_bytes_per_second = 0;
    double fp32_flops_per_second = 0;  // an FMA counts two
    double fp64_flops_per_second = 0;
    double int32_adds_per_second = 0;
    double int32_multiply_adds_per_second = 0;  // a multiply-add counts one
    double lop3_operations_per_second = 0;
    double launch_seconds = 0;      // per empty kernel, launched back to back
    double graph_node_seconds = 0;  // per empty kernel of a graph of 1000 in a row
};

// Each figure is a median of samples of 1 ms and more. `queue` must be of the cuda backend and work
// on `device`. Throws Error(wrong_result) where the device copies or computes wrongly.
CeilingSuite measure_ceiling_suite(Queue& queue, const DeviceInfo& device);

}  // namespace camber
