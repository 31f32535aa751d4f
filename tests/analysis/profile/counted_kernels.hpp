// A case whose three kernels were counted in four launches.
#pragma once

#include "harness/record/case_record.hpp"

namespace camber::profile_test {

inline results::KernelCounters kernel(const char* name, double ns, double loads,
                                      double predicted_loads) {
    results::KernelCounters counted;
    counted.name = name;
    counted.counters = {{"gpu__time_duration.sum", ns},
                        {"dram__bytes_read.sum", 1000},
                        {"dram__bytes_write.sum", 500},
                        {"l1tex__t_sector_hit_rate.pct", 50},
                        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", loads}};
    counted.model.emplace();
    counted.model->method = "simulated";
    counted.model->quantities = {{"global_load_requests", predicted_loads}};
    return counted;
}

// 10 us in total, 4 of them in the two launches of rain.
inline results::CaseRecord counted_kernels() {
    results::KernelCounters library = kernel("library", 1000, 3, 0);
    library.model.reset();
    results::CaseRecord record;
    record.identity.variant = "a/b";
    record.kernel_counters = {kernel("rain", 1500, 96, 96), kernel("flow", 5000, 200, 199), library,
                              kernel("rain", 2500, 96, 96)};
    return record;
}

}  // namespace camber::profile_test
