// The device's own limits as data: what a run measured of them, and how a results file holds it.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

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

// What a run knows of its device's limits. Absent: not measured.
struct Ceilings {
    std::optional<double> copy_bytes_per_second;  // bytes read plus bytes written, by the runtime
    std::optional<CeilingSuite> suite;
};

nlohmann::ordered_json to_json(const CeilingSuite& suite);
// copy_bytes_per_second, and the suite's keys beside it; an empty object where nothing is known.
nlohmann::ordered_json to_json(const Ceilings& ceilings);

}  // namespace camber
