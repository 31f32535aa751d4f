// A made-up case whose shares are easily computed by hand.
#pragma once

#include "analysis/profile/diagnosis.hpp"

namespace camber::profile_test {

// 10 us per generation and launch on 100 SMs at 1 GHz. No resource is busy: DRAM at 40 % of the
// copy bandwidth, L2 at 20 %, issue slots at 20 %; 80 % of the warps are resident.
inline profile::Facts idle_facts() {
    profile::Facts facts;
    facts.variant = "life/quiet/16x16";
    facts.gpu.name = "GPU";
    facts.gpu.sm_count = 100;
    facts.gpu.l2_bytes = 4'000'000;
    facts.sm_clock_hz = 1e9;
    Ceilings& ceilings = facts.ceilings;
    ceilings.copy_bytes_per_second = 1.0e12;
    ceilings.read = {{1 << 30, 1.2e12}};
    ceilings.write = {{1 << 30, 0.8e12}};
    ceilings.l2_bytes_per_second = 4e12;
    ceilings.l1_bytes_per_second = 10e12;
    ceilings.shared_bytes_per_second = 10e12;
    ceilings.fp32_flops_per_second = 20e12;
    ceilings.fp64_flops_per_second = 10e12;
    ceilings.lop3_operations_per_second = 10e12;
    ceilings.launch_seconds = 1e-7;
    facts.time = {10e-6, 9.9e-6, 10.1e-6, 20};
    facts.cells = 1e6;
    facts.application_bytes = 8e6;
    results::Kernel& kernel = facts.kernel.emplace();
    kernel.name = "quiet";
    kernel.block = {256, 1};
    kernel.grid = {3907, 1};
    kernel.registers = 32;
    kernel.static_shared_bytes = 1024;
    kernel.dynamic_shared_bytes = 0;
    kernel.local_bytes = 0;
    kernel.occupancy = 1.0;
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
