// Predicted time of one kernel launch on a device of compute capability 1.x or 2.x, from exact
// transaction counts, published ceilings and substituted machine code of another device.
#pragma once

#include <variant>
#include <vector>

#include "analysis/time/kernel_time.hpp"
#include "analysis/time/machine.hpp"

namespace camber {

struct AssumedRange {
    double low = 0;
    double usual = 0;
    double high = 0;

    // `which`: -1 the low end, 1 the high end, 0 the usual value.
    double at(int which) const { return which < 0 ? low : which > 0 ? high : usual; }
};

// Ceilings of a device of compute capability 1.x or 2.x. camber never ran on such devices: only a
// few published figures are available.
struct EarlyMachine {
    RuleSet rules = RuleSet::cc12;
    int sm_count = 1;
    double clock_hz = 0;  // of the SMs

    // Residency limits of an SM.
    int warps_per_sm = 32;
    int blocks_per_sm = 8;
    int registers_per_sm = 16384;
    int shared_bytes_per_sm = 16384;
    int register_unit = 512;  // allocation granularity of registers
    bool registers_per_warp = false;

    // SM cycles.
    double issue_cycles = 4;      // per warp instruction
    double half_rate_cycles = 4;  // shifts, comparisons, integer multiply-adds
    double fp64_cycles = 32;
    double pass_cycles = 2;  // per pass over the banks of shared memory
    double line_cycles = 0;  // per 128-byte line from L1; 0 if there is no L1

    // Bytes per second.
    double pin_rate = 0;   // pin bandwidth of the memory
    double dram_rate = 0;  // copy bandwidth
    double l2_rate = 0;    // 0 if L2 does not serve global memory

    // Seconds.
    AssumedRange memory_latency = {};
    AssumedRange arithmetic_latency = {};  // of an instruction in a dependency chain
};

// A machine with only `early`, `launch`, `sm_count`, `clock_hz` and `assumed` set, or a sentence
// with the reason why its times cannot be predicted.
std::variant<Machine, std::string> early_machine_of(const HardwareLimits& limits,
                                                    const Architecture& architecture);

// Unknown properties of such a device and its programs. The defaults are the usual assumptions;
// other values span the interval.
struct EarlyAssumptions {
    double overlap = 3;   // overlap exponent of the parts: see kernel_time.hpp
    int executed = 0;     // executed code: -1 the minimum that the counts allow, 1 the maximum
    double text = 1;      // instructions in the device's code / those in the substitute, for all
                          // kernels
    double own_text = 1;  // additional factor for this kernel
    int latency = 0;      // -1 the lowest, 1 the highest
    bool memory_at_pins = false;  // pin bandwidth instead of copy bandwidth
    bool l2_keeps = true;         // data shared by blocks is read from DRAM once; else once per
                                  // block
};

// All combinations of the assumptions that matter on the machine; own_text is 1 in each.
std::vector<EarlyAssumptions> early_assumptions(const EarlyMachine& machine);

// Maximum deviation of one kernel's code size from the substitute's, beyond that of all kernels. An
// estimate, not a measurement.
inline constexpr double own_text_factor = 1.25;

// Executions of each instruction of a kernel's code by a warp, on average, derived from memory
// instructions alone, because loops depend on the compiler. With more memory instructions than the
// code has, all code is taken as inside of loops; with fewer, some branches are not taken. Skipped
// code may have more or fewer memory instructions than the rest, so the share of executed memory
// instructions is the lower end, and all code the upper one. Their geometric mean is used, or the
// share of the staging code if a block stages words in shared memory. The code's skippable
// instructions count only in `high`.
AssumedRange executed_share(const AccessCounts& counts, double warps, const results::Kernel& code);

// Predicted seconds of a launch, without the host's submission time. The parts are combined as in
// kernel_time.hpp.
double early_seconds(const KernelWork& work, const EarlyMachine& machine,
                     const EarlyAssumptions& assumed);

// Predicted time with the interval over all assumptions.
PredictedTime early_kernel_time(const KernelWork& work, const EarlyMachine& machine);

// Resident blocks per SM, at least 1.
int early_places(const KernelWork& work, const EarlyMachine& machine);

}  // namespace camber
