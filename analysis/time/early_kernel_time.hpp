// Predicts the time of one kernel launch on a device of compute capability 1.x or 2.x from exact
// transaction counts and substituted machine code of another device.
#pragma once

#include <vector>

#include "analysis/time/early_machine.hpp"
#include "analysis/time/kernel_time.hpp"

namespace camber {

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
