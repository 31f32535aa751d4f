// Predicted time of one kernel launch on a device of compute capability 1.x or 2.x, from exact
// transaction counts, published ceilings and substituted machine code of another device.
#pragma once

#include <variant>
#include <vector>

#include "analysis/time/kernel_time.hpp"
#include "analysis/time/machine.hpp"

namespace camber {

// Ceilings of a device of compute capability 1.x or 2.x for time predictions. Such a device is
// never at hand: few figures exist, all of them published.
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

// Predicts the time of one kernel launch on a device of compute capability 1.x or 2.x from exact
// transaction counts and substituted machine code of another device.

// Unknown properties of such a device and its programs. The defaults are the usual assumptions;
// other values span the interval.
struct EarlyAssumptions {
    double overlap = 3;   // of the parts: see kernel_time.hpp
    int executed = 0;     // of the text: -1 the least that the counts allow, 1 the most
    double text = 1;      // instructions of the card's code / those of the stand-in, all kernels
    double own_text = 1;  // and, over that, of this kernel
    int latency = 0;      // -1 the least, 1 the most
    bool memory_at_pins = false;  // instead of at the rate of a copy
    bool l2_keeps = true;         // what blocks share; else DRAM delivers it to each
};

// All combinations, of those that may matter on the machine; own_text is 1 in each.
std::vector<EarlyAssumptions> early_assumptions(const EarlyMachine& machine);

// How far a kernel's own code may depart from the stand-in's beside what all kernels do. A choice,
// and no measurement.
inline constexpr double own_text_factor = 1.25;

// In seconds, without what the host takes to submit it:
//
//   DRAM      1.x: bytes of the transactions / bandwidth, for nothing is cached. 2.x: distinct
//   bytes
//             of the launch, or what L2 is asked for.
//   L2        2.x: distinct bytes of each block in whole lines where loads come in lines, but no
//   more
//             than the transactions move, and bytes stored / L2's rate
//   L1 and shared memory   passes over the banks (of half-warps on 1.x), on 2.x also lines of L1 /
//             their rate
//   issue     instructions of warps * cycles each; on 1.x also the repetitions that conflicts of
//             banks cause
//   pipes     cycles that the lanes take for all instructions
//   latency, launch        as in kernel_time.hpp; places for blocks follow from warps, blocks,
//   shared
//             memory and the stand-in's registers
//
// combined as there.
double early_seconds(const KernelWork& work, const EarlyMachine& machine,
                     const EarlyAssumptions& assumed);

// With the interval that all assumptions span.
PredictedTime early_kernel_time(const KernelWork& work, const EarlyMachine& machine);

// Blocks that an SM holds at once, at least 1.
int early_places(const KernelWork& work, const EarlyMachine& machine);

}  // namespace camber
