// Ceilings of a device of compute capability 1.x or 2.x for time predictions. Such a device is
// never at hand: few figures exist, all of them published.
#pragma once

#include <variant>

#include "analysis/time/machine.hpp"

namespace camber {

struct EarlyMachine {
    RuleSet rules = RuleSet::cc12;
    int sm_count = 1;
    double clock_hz = 0;  // of the SMs

    // Residency limits of an SM.
    int warps_per_sm = 32;
    int blocks_per_sm = 8;
    int registers_per_sm = 16384;
    int shared_bytes_per_sm = 16384;
    int register_unit = 512;  // registers are given out in these
    bool registers_per_warp = false;

    // Cycles of an SM.
    double issue_cycles = 4;      // for an instruction of a warp
    double half_rate_cycles = 4;  // shifts, comparisons, integer multiply-adds
    double fp64_cycles = 32;
    double pass_cycles = 2;  // for a pass over the banks of shared memory
    double line_cycles = 0;  // for a line of 128 bytes from L1; 0 where there is none

    // Bytes per second.
    double pin_rate = 0;   // what the memory's pins can carry
    double dram_rate = 0;  // what a kernel that copies reaches
    double l2_rate = 0;    // 0 where there is no L2 for global memory

    // Seconds.
    struct Range {
        double low = 0;
        double usual = 0;
        double high = 0;
    };
    Range memory_latency;
    Range arithmetic_latency;  // of an instruction in a chain
};

// A machine of which only `early`, `launch`, `sm_count`, `clock_hz` and `assumed` are set, or the
// sentence that says why its times cannot be predicted.
std::variant<Machine, std::string> early_machine_of(const HardwareLimits& limits,
                                                    const Architecture& architecture);

}  // namespace camber
