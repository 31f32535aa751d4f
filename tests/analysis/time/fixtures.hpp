// A machine and a kernel with round numbers.
#pragma once

#include "analysis/time/kernel_time.hpp"

namespace camber {

// 100 SMs at 1 GHz; every latency is 100 cycles.
inline HardwareLimits round_limits() {
    HardwareLimits limits;
    limits.sm_count = 100;
    limits.sm_clock_hz = 1e9;
    limits.issues_per_cycle = 4;
    limits.warm_l2_bytes = 64 << 20;
    Ceilings& c = limits.ceilings;
    c.copy = {{1 << 20, 8e12}, {std::int64_t{1} << 30, 1e12}};
    c.read = {{1 << 20, 8e12}, {std::int64_t{1} << 30, 2e12}};
    c.write = {{1 << 20, 4e12}, {std::int64_t{1} << 30, 1e12}};
    c.triad = {{1 << 20, 8e12}, {std::int64_t{1} << 30, 1.5e12}};
    c.l1_bytes_per_second = 128e11;
    c.shared_bytes_per_second = 128e11;
    c.fp32_flops_per_second = 2 * 128e11;
    c.fp64_flops_per_second = 2 * 64e11;
    c.lop3_operations_per_second = 64e11;
    c.l2_requests_per_second = 50e9;
    c.l2_stores_per_second = 25e9;
    c.constant_loads_per_second = 50e9;
    c.launch_seconds = 2e-6;
    c.graph_node_seconds = 0.5e-6;
    c.l2_latency_seconds = 100e-9;
    c.dram_latency_seconds = 100e-9;
    c.l2_last_of_8_seconds = 107e-9;  // 7 of them are issued after the first
    c.dram_last_of_8_seconds = 107e-9;
    c.l2_first_latency_seconds = 100e-9;
    c.l2_first_last_of_8_seconds = 107e-9;
    c.l2_row_latency_seconds = 100e-9;
    c.dram_row_latency_seconds = 100e-9;
    c.descending_bytes_per_second = 1e12;
    c.shared_latency_seconds = 100e-9;
    c.l1_latency_seconds = 100e-9;
    c.arithmetic_latency_seconds = 4e-9;
    c.block_turnover_seconds = 100e-9;
    // No loaded latency.
    c.stream_gap_seconds = 1e-6;
    c.reads_by_1_block_bytes_per_second = 0.2e12;
    c.reads_by_4_blocks_bytes_per_second = 0.8e12;
    c.copies_by_1_block_bytes_per_second = 0.1e12;
    c.copies_by_4_blocks_bytes_per_second = 0.4e12;
    c.copies_in_32_pieces_bytes_per_second = 0.4e12;
    return limits;
}

inline Machine round_machine() {
    return std::get<Machine>(machine_of(round_limits(), parse_architecture("sm_90")));
}

// 100 000 blocks of 8 warps with 10 instructions, which load and store one word per thread.
inline KernelWork plain_kernel() {
    KernelWork work;
    work.blocks = 100000;
    work.threads_per_block = 256;
    work.code.occupancy = 1;
    work.code.instructions = {{"total", 10}, {"global_loads", 1}, {"global_stores", 1}};
    const std::int64_t warps = 800000;
    for (TransferCounts* counts :
         {&work.counts.counts.global_load, &work.counts.counts.global_store}) {
        counts->instructions = counts->requests = counts->lines = warps;
        counts->sectors = 4 * warps;
    }
    work.counts.counts.global_load.bank_passes = warps;
    work.counts.reads = {4 * warps, 128 * warps, 4 * warps, 128 * warps};
    work.counts.writes = work.counts.reads;
    work.counts.distinct_sectors = 8 * warps;
    return work;
}

inline double part(const PredictedTime& time, TimeResource resource) {
    for (const TimePart& part : time.parts)
        if (part.resource == resource) return part.seconds;
    return 0;
}

}  // namespace camber
