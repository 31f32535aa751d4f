#include "harness/results/ceilings.hpp"

namespace camber {

using Json = nlohmann::ordered_json;

namespace {

Json curve(const CeilingCurve& points) {
    Json list = Json::array();
    for (const CeilingCurvePoint& point : points)
        list.push_back(
            {{"working_set_bytes", point.bytes}, {"bytes_per_second", point.bytes_per_second}});
    return list;
}

}  // namespace

Json to_json(const CeilingSuite& suite) {
    return {{"copy", curve(suite.copy)},
            {"read", curve(suite.read)},
            {"write", curve(suite.write)},
            {"triad", curve(suite.triad)},
            {"l2_bytes_per_second", suite.l2_bytes_per_second},
            {"shared_bytes_per_second", suite.shared_bytes_per_second},
            {"l1_bytes_per_second", suite.l1_bytes_per_second},
            {"fp32_flops_per_second", suite.fp32_flops_per_second},
            {"fp64_flops_per_second", suite.fp64_flops_per_second},
            {"int32_adds_per_second", suite.int32_adds_per_second},
            {"int32_multiply_adds_per_second", suite.int32_multiply_adds_per_second},
            {"lop3_operations_per_second", suite.lop3_operations_per_second},
            {"launch_seconds", suite.launch_seconds},
            {"graph_node_seconds", suite.graph_node_seconds}};
}

Json to_json(const Ceilings& ceilings) {
    Json json = Json::object();
    if (ceilings.copy_bytes_per_second)
        json["copy_bytes_per_second"] = *ceilings.copy_bytes_per_second;
    if (ceilings.suite) json.update(to_json(*ceilings.suite));
    return json;
}

}  // namespace camber
