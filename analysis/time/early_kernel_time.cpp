#include "analysis/time/early_kernel_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/time/executed.hpp"
#include "analysis/time/launch_parts.hpp"

namespace camber {
namespace {

// CUDA C Programming Guide 4.2, which describes 1.x, 2.x and 3.0: chapter 5 (SM level, arithmetic
// instructions) and appendix F (architectures, technical specifications).
constexpr const char* guide = "CUDA C Programming Guide 4.2, section 5.2.3";
constexpr double arithmetic_cycles = 22;  // "about", for both generations
// Independent instructions do not wait: at best every second instruction is independent.
constexpr double least_arithmetic_cycles = 11;
constexpr AssumedRange memory_cycles{400, 566, 800};  // 400 to 800; the geometric mean

// Share of the pin bandwidth that a copy reaches on a GTX 480: 144.04 of 177.41 GB/s (mixbench,
// results/GTX480.txt).
constexpr double copied_share = 144.04 / 177.41;
constexpr const char* of_gtx480 = "the share that a GTX 480 reaches, mixbench";
// Launch latency of an empty kernel on a GTX 480 (clpeak, results/NVIDIA_CUDA/GeForce_GTX_480.log).
constexpr double gtx480_launch = 7.56e-6;

// Sections F.1 and F.3: an SM of 1.x has 8 lanes, so that a warp instruction takes 4 cycles; a
// 64-bit one takes 32 on 1.3, which has one such lane. Each of the 16 banks of shared memory
// delivers a word in two cycles.
EarlyMachine first_generation(const Architecture& architecture) {
    if (architecture.rules != RuleSet::cc10) return {};
    return {.warps_per_sm = 24, .registers_per_sm = 8192, .register_unit = 256};
}

// Section F.4: two schedulers, each issuing a warp instruction every two cycles, on 32 lanes; 16 of
// them shift, compare and multiply integers, and on a GeForce 4 compute in 64 bits (table 5-1 and
// its note). Each of the 32 banks of shared memory delivers a word in two cycles; an L1 line, which
// is in the same memory, takes as long.
EarlyMachine second_generation() {
    return {.warps_per_sm = 48,
            .registers_per_sm = 32768,
            .shared_bytes_per_sm = 49152,
            .register_unit = 64,
            .registers_per_warp = true,
            .issue_cycles = 1,
            .half_rate_cycles = 2,
            .fp64_cycles = 8,
            .line_cycles = 2};
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
    const Ceilings& c = limits.ceilings;
    if (const std::string missing = missing_figures(
            {{"sm_count", limits.sm_count.has_value()},
             {"sm_clock_hz", limits.sm_clock_hz.has_value()},
             {"pin_bytes_per_second", c.pin_bytes_per_second.has_value()},
             {"l2_bytes_per_second", !cached || c.l2_bytes_per_second.has_value()}});
        !missing.empty())
        return fmt::format(
            "the device's limits lack {}, which times on {} need: add the published "
            "figures to its file",
            missing, to_string(architecture));
    EarlyMachine early = cached ? second_generation() : first_generation(architecture);
    early.rules = rules;
    early.sm_count = *limits.sm_count;
    early.clock_hz = *limits.sm_clock_hz;

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

    const auto seconds = [cycle = 1 / early.clock_hz](const AssumedRange& cycles) {
        return AssumedRange{cycles.low * cycle, cycles.usual * cycle, cycles.high * cycle};
    };
    if (const auto latency = c.dram_latency_seconds) {
        early.memory_latency = {*latency, *latency, *latency};
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

namespace {

constexpr double many_fillings = 4;  // for more waves, the partly filled last one no longer matters

// Ends of the interval. Nothing is known about the overlap on such devices, so that today's values
// are used.
constexpr std::array<double, 3> overlaps{3, 6, 1.7};

// Number of instructions that a compiler of 2011 generated for such a device, relative to today's
// compiler and device. Then, addresses had 32 bits, and arithmetic could take operands from shared
// memory; today there are three-operand additions and logic instructions and more unrolled loops.
// An estimate, not a measurement.
struct Text {
    int executed;
    double factor;
};
constexpr std::array<Text, 3> texts{Text{0, 1}, Text{-1, 0.5}, Text{1, 2}};

double real(std::int64_t count) {
    return static_cast<double>(count);
}

double moved(const TransferCounts& counts) {
    return real(counts.bytes_moved);
}

// Memory instructions that a warp executes. Counted loads from shared memory are those of the
// source: the compiler keeps words in registers and emits fewer loads, but never fewer stores.
// Therefore more counted loads than loads in the code indicate a loop only if the stores do so,
// too.
double memory_instructions(const AccessCounts& counts, double warps, const results::Kernel& code) {
    const double others = real(counts.instructions() - counts.constant_load.instructions -
                               counts.shared_load.instructions);
    double loads = real(counts.shared_load.instructions);
    const double stores = real(counts.shared_store.instructions);
    const double stores_in_text = sum_of(code.instructions, {"shared_stores"});
    if (stores > 0 && stores_in_text > 0)
        loads = std::min(loads, std::max(warps, stores / stores_in_text) *
                                    sum_of(code.instructions, {"shared_loads"}));
    return (others + loads) / warps;
}

// Executed share of a kernel that stages words in shared memory: staging code, an access and its
// address, follows its own accesses, and all other code is executed.
double staging_share(const AccessCounts& counts, double warps, const results::Kernel& code) {
    const double all = sum_of(code.instructions, {"total"});
    const double copying = sum_of(code.instructions, {"global_loads", "shared_stores"});
    const double copied =
        real(counts.global_load.instructions + counts.shared_store.instructions) / warps;
    const double stages = std::min(all, 2 * copying);
    return (stages * std::min(1.0, copied / copying) + all - stages) / all;
}

// - DRAM: on 1.x transaction bytes, because nothing is cached; on 2.x distinct bytes of the launch,
//   or the bytes requested from L2
// - L2, on 2.x: distinct bytes of each block, in whole lines if loads fetch lines, but at most the
//   transaction bytes, and bytes stored
// - L1 and shared memory: passes over the banks (of half-warps on 1.x), and on 2.x L1 lines
// - issue: on 1.x also replays due to bank conflicts
// - pipes: lane cycles of all instructions, because all pipes use the same lanes
std::vector<TimePart> early_parts(const KernelWork& work, const EarlyMachine& machine,
                                  const EarlyAssumptions& assumed) {
    const AccessCounts& counts = work.counts.counts;
    const TransferCounts& loads = counts.global_load;
    const DistinctCounts& reads = work.counts.reads;
    const bool cached = machine.l2_rate > 0;
    const double warps = work.blocks * warps_per_block(work);
    std::vector<TimePart> parts;
    const auto add = [&](TimeResource resource, double seconds, std::string basis) {
        if (seconds > 0) parts.push_back({resource, seconds, std::move(basis)});
    };

    // Loads of 2.x fetch whole lines, of which a block may use only a part.
    const double distinct = real(reads.block_sectors) * sector_bytes;
    const double whole = machine.rules == RuleSet::cc20 && loads.sectors > 0
                             ? real(loads.lines) * line_bytes / (real(loads.sectors) * sector_bytes)
                             : 1;
    const double past_l1 = std::min(distinct * whole, moved(loads) + moved(counts.texture_load));
    const double stored = moved(counts.global_store) + moved(counts.global_atomic);
    const double local = moved(counts.local_load) + moved(counts.local_store);
    const double rate = assumed.memory_at_pins ? machine.pin_rate : machine.dram_rate;
    if (!cached)
        // The texture cache serves repeated fetches of a block.
        add(TimeResource::dram,
            (moved(loads) + stored + local + std::min(moved(counts.texture_load), distinct)) / rate,
            "bytes of transactions (uncached) / bandwidth");
    else if (!assumed.l2_keeps || !work.distinct_known)
        add(TimeResource::dram, (past_l1 + stored) / rate, "bytes requested from L2 / bandwidth");
    else
        add(TimeResource::dram,
            real(reads.grid_sectors + work.counts.writes.grid_sectors) * sector_bytes / rate,
            "distinct bytes per launch / bandwidth");
    if (cached)
        add(TimeResource::l2, (past_l1 + stored + local) / machine.l2_rate,
            "distinct bytes per block in whole lines, and bytes stored / L2 rate");

    // SMs without a block add nothing.
    const double cycles_per_second =
        machine.clock_hz * std::clamp(work.blocks, 1.0, static_cast<double>(machine.sm_count));
    const double passes =
        real(counts.shared_load.passes + counts.shared_store.passes + counts.shared_atomic.passes);
    const double lines = machine.line_cycles > 0 ? real(loads.lines) : 0.0;
    add(TimeResource::l1,
        (passes * machine.pass_cycles + lines * machine.line_cycles) / cycles_per_second,
        "wavefronts and L1 lines / their rate");

    const AssumedRange share = executed_share(counts, warps, work.code);
    const double executions = share.at(assumed.executed) * assumed.text * assumed.own_text;
    const auto executed = [&](std::initializer_list<std::string_view> classes) {
        return warps * executions * sum_of(work.code.instructions, classes);
    };
    const double replays =
        cached ? 0 : real(counts.shared_load.conflicts() + counts.shared_store.conflicts());
    add(TimeResource::issue,
        (executed({"total"}) * machine.issue_cycles + replays * machine.pass_cycles) /
            cycles_per_second,
        "warp instructions / scheduler rate");
    add(TimeResource::pipes,
        (executed({"fp32", "integer", "logic", "moves", "constant_loads"}) * machine.issue_cycles +
         executed({"shifts", "predicates", "integer_multiply"}) * machine.half_rate_cycles +
         executed({"fp64"}) * machine.fp64_cycles) /
            cycles_per_second,
        "arithmetic instructions / lane rate");

    const double rounds =
        counts.shared_store.instructions > 0 ? real(loads.instructions) / warps : share.high;
    const double chain = machine.memory_latency.at(assumed.latency) * std::max(1.0, rounds) +
                         machine.arithmetic_latency.at(assumed.latency) *
                             sum_of(work.code.instructions, {"total"}) * executions;
    const double places = early_places(work, machine);
    const double per_sm = work.blocks / machine.sm_count;
    const double waves =
        per_sm / places < many_fillings ? std::ceil(std::ceil(per_sm) / places) : per_sm / places;
    add(TimeResource::latency, chain * waves,
        fmt::format("dependency chain of a block * {:.0f} waves of {:.0f} blocks per SM",
                    std::ceil(waves), places));
    add(TimeResource::launch, chain, "dependency chain of the last blocks");
    return parts;
}

double together(const std::vector<TimePart>& parts, double exponent) {
    const auto of = [&](TimeResource resource) { return seconds_of(parts, resource); };
    return norm({std::max(of(TimeResource::dram), of(TimeResource::l2)), of(TimeResource::l1),
                 std::max(of(TimeResource::issue), of(TimeResource::pipes)),
                 of(TimeResource::latency)},
                exponent) +
           of(TimeResource::launch);
}

std::vector<std::string> early_doubts(const KernelWork& work) {
    std::vector<std::string> doubts{"only a few published figures of its device are available"};
    const AccessCounts& counts = work.counts.counts;
    if (!work.distinct_known) doubts.emplace_back("its counts are estimated from a sample");
    if (counts.global_atomic.requests > 0)
        doubts.emplace_back("colliding atomic additions are serialized");
    if (counts.texture_load.requests > 0)
        doubts.emplace_back("the texture rate of its device is unavailable");
    return doubts;
}

}  // namespace

AssumedRange executed_share(const AccessCounts& counts, double warps, const results::Kernel& code) {
    const double all = sum_of(code.instructions, {"total"});
    const double unskipped = all > 0 ? 1 - sum_of(code.instructions, {"skippable"}) / all : 1;
    const double in_text =
        sum_of(code.instructions, {"global_loads", "global_stores", "shared_loads", "shared_stores",
                                   "local_loads", "local_stores", "texture", "atomics"});
    if (in_text == 0 || warps == 0) return {unskipped, unskipped, 1};
    const double ratio = memory_instructions(counts, warps, code) / in_text;
    if (ratio > 1) return {ratio * unskipped, ratio * unskipped, ratio};
    const bool stages =
        counts.shared_store.instructions > 0 && sum_of(code.instructions, {"shared_stores"}) > 0;
    const double usual = stages ? staging_share(counts, warps, code) : std::sqrt(ratio);
    return {ratio * unskipped, usual * unskipped, 1};
}

std::vector<EarlyAssumptions> early_assumptions(const EarlyMachine& machine) {
    std::vector<EarlyAssumptions> all;
    const bool cached = machine.l2_rate > 0;
    for (const double overlap : overlaps)
        for (const Text& text : texts)
            for (const int latency : {0, -1, 1})
                for (const bool pins : {false, true})
                    for (const bool keeps : {true, false})
                        if (keeps || cached)
                            all.push_back({.overlap = overlap,
                                           .executed = text.executed,
                                           .text = text.factor,
                                           .latency = latency,
                                           .memory_at_pins = pins,
                                           .l2_keeps = keeps});
    return all;
}

int early_places(const KernelWork& work, const EarlyMachine& machine) {
    const int warps = std::max(1, static_cast<int>(warps_per_block(work)));
    int places = std::min(machine.blocks_per_sm, machine.warps_per_sm / warps);
    if (const auto shared =
            work.code.static_shared_bytes.value_or(0) + work.code.dynamic_shared_bytes.value_or(0);
        shared > 0)
        places = std::min(places, static_cast<int>(machine.shared_bytes_per_sm / shared));
    if (const int registers = work.code.registers.value_or(0); registers > 0) {
        const auto rounded = [&](int count) {
            return (count + machine.register_unit - 1) / machine.register_unit *
                   machine.register_unit;
        };
        const int of_block = machine.registers_per_warp ? warps * rounded(registers * 32)
                                                        : rounded(warps * 32 * registers);
        places = std::min(places, machine.registers_per_sm / of_block);
    }
    return std::max(1, places);
}

double early_seconds(const KernelWork& work, const EarlyMachine& machine,
                     const EarlyAssumptions& assumed) {
    return together(early_parts(work, machine, assumed), assumed.overlap);
}

PredictedTime early_kernel_time(const KernelWork& work, const EarlyMachine& machine) {
    PredictedTime time;
    time.parts = early_parts(work, machine, {});
    time.seconds = time.low = time.high = together(time.parts, EarlyAssumptions().overlap);
    for (EarlyAssumptions assumed : early_assumptions(machine))
        for (const double own : {1 / own_text_factor, own_text_factor}) {
            assumed.own_text = own;
            const double seconds = early_seconds(work, machine, assumed);
            time.low = std::min(time.low, seconds);
            time.high = std::max(time.high, seconds);
        }
    time.doubts = early_doubts(work);
    return time;
}

}  // namespace camber
