// A made-up case whose shares can be computed in the head.
#pragma once

#include "analysis/profile/diagnosis.hpp"

namespace camber::profile_test {

// 10 us per generation and launch on 100 SMs at 1 GHz. Nothing is busy: DRAM at 40 % of the copy,
// L2 at 20 %, issue slots at 20 %; 80 % of the warps are resident.
inline profile::Facts idle_facts() {
    profile::Facts facts;
    facts.variant = "life/quiet/16x16";
    facts.device = {"GPU", 100, 1e9, 4e6};
    facts.ceilings = {.copy = 1.0e12,
                      .read = 1.2e12,
                      .write = 0.8e12,
                      .l2 = 4e12,
                      .l1 = 10e12,
                      .shared = 10e12,
                      .fp32 = 20e12,
                      .fp64 = 10e12,
                      .logic = 10e12,
                      .launch_seconds = 1e-7};
    facts.time = {10e-6, 9.9e-6, 10.1e-6, 20};
    facts.cells = 1e6;
    facts.application_bytes = 8e6;
    facts.kernel = profile::Kernel{.name = "quiet",
                                   .threads_per_block = 256,
                                   .blocks = 3907,
                                   .registers = 32,
                                   .static_shared_bytes = 1024,
                                   .dynamic_shared_bytes = 0,
                                   .local_bytes = 0,
                                   .occupancy = 1.0,
                                   .instructions = {}};
    facts.counters = {{"dram__bytes_read.sum", 2e6},
                      {"dram__bytes_write.sum", 2e6},
                      {"lts__t_sectors_op_read.sum", 1.5e5},
                      {"lts__t_sectors_op_write.sum", 1e5},
                      {"smsp__inst_executed.sum", 8e5},
                      {"smsp__thread_inst_executed.sum", 2.4e7},
                      {"sm__warps_active.avg.pct_of_peak_sustained_active", 80}};
    return facts;
}

}  // namespace camber::profile_test
