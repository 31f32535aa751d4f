#include "analysis/time/early_machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace camber {
namespace {

// The CUDA C Programming Guide 4.2, which describes 1.x, 2.x and 3.0: chapter 5 (SM
// level, arithmetic instructions) and appendix F (architectures, technical specifications).
constexpr const char* guide = "CUDA C Programming Guide 4.2, section 5.2.3";
constexpr double arithmetic_cycles = 22;  // "about", of both generations
// Independent instructions wait for nothing: at best every second one is.
constexpr double least_arithmetic_cycles = 11;
constexpr EarlyMachine::Range memory_cycles{400, 566, 800};  // 400 to 800; the geometric mean

// Share of the pin bandwidth that a copy reaches on a GTX 480: 144.04 of 177.41 GB/s (mixbench,
// results/GTX480.txt).
constexpr double copied_share = 144.04 / 177.41;
constexpr const char* of_gtx480 = "the share that a GTX 480 reaches, mixbench";
// Launch latency of an empty kernel on a GTX 480 (clpeak, results/NVIDIA_CUDA/GeForce_GTX_480.log).
constexpr double gtx480_launch = 7.56e-6;

// Sections F.1 and F.3: an SM of 1.x has 8 lanes, so that a warp's instruction takes 4
// cycles; one of 64 bits takes 32 on 1.3, which has one such lane. The 16 banks of shared memory
// deliver a word each in two cycles.
EarlyMachine first_generation(const Architecture& architecture) {
    EarlyMachine machine;
    if (architecture.rules == RuleSet::cc10) {
        machine.warps_per_sm = 24;
        machine.registers_per_sm = 8192;
        machine.register_unit = 256;
    }
    return machine;
}

// Section F.4: two schedulers, each of an instruction of a warp in two cycles, on 32 lanes; 16 of
// them shift, compare and multiply integers, and 4 compute with 64 bits on a GeForce (table 5-1 and
// its note). The 32 banks of shared memory deliver a word each in two cycles, and a line of L1,
// which is in the same memory, takes as long.
EarlyMachine second_generation() {
    EarlyMachine machine;
    machine.warps_per_sm = 48;
    machine.registers_per_sm = 32768;
    machine.shared_bytes_per_sm = 49152;
    machine.register_unit = 64;
    machine.registers_per_warp = true;
    machine.issue_cycles = 1;
    machine.half_rate_cycles = 2;
    machine.fp64_cycles = 8;
    machine.line_cycles = 2;
    return machine;
}

std::vector<std::string_view> missing_published(const HardwareLimits& limits, bool cached) {
    std::vector<std::string_view> missing;
    const auto need = [&](bool there, std::string_view name) {
        if (!there) missing.push_back(name);
    };
    need(limits.sm_count.has_value(), "sm_count");
    need(limits.sm_clock_hz.has_value(), "sm_clock_hz");
    need(limits.ceilings.pin_bytes_per_second.has_value(), "pin_bytes_per_second");
    if (cached) need(limits.ceilings.l2_bytes_per_second.has_value(), "l2_bytes_per_second");
    return missing;
}

}  // namespace

std::variant<Machine, std::string> early_machine_of(const HardwareLimits& limits,
                                                    const Architecture& architecture) {
    const RuleSet rules = architecture.rules;
    const bool cached = rules == RuleSet::cc20 || rules == RuleSet::cc20_uncached;
    if (!cached && rules != RuleSet::cc10 && rules != RuleSet::cc12)
        return fmt::format(
            "times are predicted for compute capability 1.x, 2.x, 5.0 and later, and {} is none of "
            "them",
            to_string(architecture));
    if (const auto missing = missing_published(limits, cached); !missing.empty())
        return fmt::format(
            "the device's limits lack {}, which times on {} need: add the published "
            "figures to its file",
            fmt::join(missing, ", "), to_string(architecture));
    const Ceilings& c = limits.ceilings;
    EarlyMachine early = cached ? second_generation() : first_generation(architecture);
    early.rules = rules;
    early.sm_count = *limits.sm_count;
    early.clock_hz = *limits.sm_clock_hz;
    const double cycle = 1 / early.clock_hz;

    Machine machine;
    machine.sm_count = early.sm_count;
    machine.clock_hz = early.clock_hz;

    early.pin_rate = *c.pin_bytes_per_second;
    if (!c.copy.empty()) {
        early.dram_rate = c.copy.back().bytes_per_second;
    } else {
        early.dram_rate = copied_share * early.pin_rate;
        machine.assumed.push_back({"DRAM bandwidth", early.dram_rate * 1e-9, of_gtx480, "GB/s"});
    }
    if (cached) early.l2_rate = *c.l2_bytes_per_second;
    const double sms = early.sm_count * early.clock_hz;
    if (c.shared_bytes_per_second)
        early.pass_cycles = bank_count(rules) * word_bytes * sms / *c.shared_bytes_per_second;
    if (cached && c.l1_bytes_per_second)
        early.line_cycles = line_bytes * sms / *c.l1_bytes_per_second;

    const auto seconds = [&](const EarlyMachine::Range& cycles) {
        return EarlyMachine::Range{cycles.low * cycle, cycles.usual * cycle, cycles.high * cycle};
    };
    if (c.dram_latency_seconds) {
        early.memory_latency = {*c.dram_latency_seconds, *c.dram_latency_seconds,
                                *c.dram_latency_seconds};
    } else {
        early.memory_latency = seconds(memory_cycles);
        machine.assumed.push_back(
            {"latency of global memory", memory_cycles.usual,
             fmt::format("{} to {} in the {}", memory_cycles.low, memory_cycles.high, guide)});
    }
    early.arithmetic_latency =
        seconds({least_arithmetic_cycles, arithmetic_cycles, arithmetic_cycles});
    machine.assumed.push_back(
        {"latency of arithmetic", arithmetic_cycles, fmt::format("the {}", guide)});
    machine.launch = c.launch_seconds.value_or(gtx480_launch);
    if (!c.launch_seconds)
        machine.assumed.push_back(
            {"launch", gtx480_launch * early.clock_hz, "as a GTX 480, clpeak"});
    machine.early = std::make_shared<const EarlyMachine>(early);
    return machine;
}

}  // namespace camber
