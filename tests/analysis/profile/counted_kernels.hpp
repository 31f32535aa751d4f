// The camber object of a case whose three kernels were counted in four launches.
#pragma once

#include <nlohmann/json.hpp>

namespace camber::profile_test {

using Json = nlohmann::ordered_json;

inline Json kernel(const char* name, double ns, double loads, double predicted_loads) {
    return {{"name", name},
            {"symbol", ""},
            {"counters",
             {{"gpu__time_duration.sum", ns},
              {"dram__bytes_read.sum", 1000},
              {"dram__bytes_write.sum", 500},
              {"l1tex__t_sector_hit_rate.pct", 50},
              {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", loads}}},
            {"model", {{"method", "simulated"}, {"global_load_requests", predicted_loads}}}};
}

// 10 us in all, of which the two launches of rain take 4.
inline Json counted_kernels() {
    Json library = kernel("library", 1000, 3, 0);
    library.erase("model");
    return {{"variant", "a/b"},
            {"kernel_counters",
             {kernel("rain", 1500, 96, 96), kernel("flow", 5000, 200, 199), library,
              kernel("rain", 2500, 96, 96)}}};
}

}  // namespace camber::profile_test
