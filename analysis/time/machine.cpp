#include "analysis/time/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "analysis/time/curves.hpp"
#include "analysis/time/early_kernel_time.hpp"

namespace camber {
namespace {

constexpr double warp_lanes_per_instruction = 32;
constexpr double requests_of_load = 8;  // of the measurement `last_of_8`
constexpr double pieces_of_row = 2;     // 256 bytes each
constexpr double descended_rows = 128;
constexpr double flops_per_fma = 2;

// Substitutes in cycles of an H200's 1.98 GHz (results/h200/ceilings.json), for incomplete files.
constexpr const char* of_h200 = "as on an H200";
constexpr double dram_latency_cycles = 644;
constexpr double l2_latency_cycles = 288;
constexpr double shared_latency_cycles = 28.8;
constexpr double l1_latency_cycles = 40.2;
constexpr double cluster_barrier_cycles = 925;      // an H100's: results/cards/h100.json
constexpr double distributed_latency_cycles = 193;  // an H100's
constexpr double arithmetic_latency_cycles = 4.5;
constexpr double warp_start_cycles = 19.8;
constexpr double graph_node_seconds = 0.480e-6;
constexpr double stream_gap_seconds = 1.33e-6;
constexpr double launch_seconds = 3.85e-6;

// An SM of 7.0 and later has 32 lanes for loads and stores and 4 texture units (NVIDIA's papers on
// these architectures). Hardware counters report a warp's fetch as 8 requests of the texture unit
// for pitched textures, and as 4 for linear memory (results/h100/life-counters.json).
constexpr double requests_per_cycle = 1;
constexpr double texels_per_cycle = 4;
constexpr double linear_texels_per_cycle = 8;
// Per-SM substitutes from an H200.
constexpr double l2_load_cycles = 1 / 0.6;
constexpr double l2_store_cycles = 1 / 0.33;
constexpr double constant_load_cycles = 2;
constexpr double descending_slowdown = 1.08;
constexpr double l2_spread_cycles = 17;
constexpr double far_half_cycles = 37;
constexpr double first_spread_cycles = 88;
constexpr double l2_row_spread_cycles = 51;
constexpr double dram_row_spread_cycles = 139;
constexpr double dram_spread_cycles = 185;
constexpr double delay_of_reads_cycles = 95;
constexpr double delay_of_copies_cycles = 500;
constexpr double delay_of_further_pieces = 0.9;  // relative

// For compute capability 5.0 and later: CUDA C Programming Guide, technical specifications.
int resident_warps(const Architecture& architecture) {
    const int version = 10 * architecture.major + architecture.minor;
    if (version == 75) return 32;
    if (version == 86 || version == 87 || version == 89 || version >= 110) return 48;
    return 64;
}

// True for chips whose L2 has two halves; used if their file lacks the latency of first accesses.
bool has_halves(const Architecture& architecture) {
    return architecture.major == 9;
}

std::vector<std::string_view> missing_figures(const HardwareLimits& limits) {
    const Ceilings& c = limits.ceilings;
    std::vector<std::string_view> missing;
    const auto need = [&](bool there, std::string_view name) {
        if (!there) missing.push_back(name);
    };
    need(limits.sm_count.has_value(), "sm_count");
    need(limits.sm_clock_hz.has_value(), "sm_clock_hz");
    need(limits.warm_l2_bytes.has_value(), "l2_bytes");
    // A curve may replace another one, but at least one curve is required.
    const bool a_curve = !c.copy.empty() || !c.read.empty() || !c.write.empty() || !c.triad.empty();
    for (const std::string_view curve : {"copy", "read", "write", "triad"}) need(a_curve, curve);
    need(c.l1_bytes_per_second.has_value(), "l1_bytes_per_second");
    need(c.shared_bytes_per_second.has_value(), "shared_bytes_per_second");
    need(c.fp32_flops_per_second.has_value(), "fp32_flops_per_second");
    need(c.fp64_flops_per_second.has_value(), "fp64_flops_per_second");
    need(c.lop3_operations_per_second.has_value(), "lop3_operations_per_second");
    return missing;
}

// Returns measured figures, or their substitutes, which are recorded in the machine.
class Figures {
  public:
    explicit Figures(Machine& machine) : machine_(machine) {}

    double seconds(const std::optional<double>& measured, const char* name, double cycles,
                   const char* source) {
        if (measured) return *measured;
        machine_.assumed.push_back({name, cycles, source});
        return cycles / machine_.clock_hz;
    }
    // Host times do not scale with the device's clock.
    double host_seconds(const std::optional<double>& measured, const char* name, double seconds,
                        const char* source) {
        return this->seconds(measured, name, seconds * machine_.clock_hz, source);
    }
    double rate(const std::optional<double>& measured, double per_cycle) const {
        return measured.value_or(per_cycle * machine_.clock_hz * machine_.sm_count);
    }
    CeilingCurve curve(const Ceilings& ceilings, const TrafficMix& mix) {
        if (const CeilingCurve& measured = ceilings.*mix.curve; !measured.empty()) return measured;
        StandInCurve other = *stand_in_curve(ceilings, mix);
        const CeilingCurvePoint& largest = other.curve.back();
        machine_.assumed.push_back(
            {fmt::format("bandwidth of {}", mix.kernels), largest.bytes_per_second / 1e9,
             fmt::format("at {:.0f} MiB, {}",
                         static_cast<double>(largest.working_set_bytes) / (1 << 20), other.source),
             "GB/s"});
        machine_.doubts.push_back(
            fmt::format("the bandwidth of {} is taken {}", mix.kernels, other.source));
        return std::move(other.curve);
    }

    // Time of a copy that processes rows top to bottom, relative to a copy along a row.
    double slowdown(const Ceilings& ceilings, const CeilingCurve& copy) {
        const double in_a_row = copy.back().bytes_per_second;
        if (ceilings.descending_bytes_per_second)
            return std::max(1.0, in_a_row / *ceilings.descending_bytes_per_second);
        machine_.assumed.push_back(
            {"copy down 128 rows", in_a_row / descending_slowdown / 1e9, of_h200, "GB/s"});
        return descending_slowdown;
    }

    // Loaded latency.
    LoadedMemory loaded(const Ceilings& ceilings, const Machine& machine) {
        if (const auto measured = loaded_memory(ceilings, machine.sm_count, machine.dram_spread))
            return *measured;
        for (const auto& [name, cycles] :
             {std::pair{"busy memory, loads", delay_of_reads_cycles},
              std::pair{"busy memory, copies", delay_of_copies_cycles}})
            machine_.assumed.push_back({name, cycles, of_h200});
        return {delay_of_reads_cycles / machine.clock_hz, delay_of_copies_cycles / machine.clock_hz,
                delay_of_further_pieces};
    }

  private:
    Machine& machine_;
};

}  // namespace

Machine Machine::replaying_graphs() const {
    Machine other = *this;
    other.stream_gap = graph_node;
    other.launch = 0;
    return other;
}

double Machine::busy_share(double blocks) const {
    return std::clamp(blocks / sm_count, 1.0 / sm_count, 1.0);
}

double Machine::memory_rate(double working_set, double written_share, double rows) const {
    const double slowdown =
        1 + (descending_slowdown - 1) *
                std::clamp(std::log2(rows) / std::log2(descended_rows), 0.0, 1.0) *
                read_from_memory(working_set);
    return rate_in_a_row(working_set, written_share) / slowdown;
}

// Interpolates between the four curves, whose written shares are 0, 1/3, 1/2 and 1.
double Machine::rate_in_a_row(double working_set, double written_share) const {
    const double reads = bandwidth_at(read, working_set);
    const double thirds = bandwidth_at(triad, working_set);
    const double halves = bandwidth_at(copy, working_set);
    if (written_share <= 1.0 / 3) return between(written_share, 0, reads, 1.0 / 3, thirds);
    if (written_share <= 0.5) return between(written_share, 1.0 / 3, thirds, 0.5, halves);
    return between(written_share, 0.5, halves, 1, bandwidth_at(write, working_set));
}

double Machine::read_from_memory(double bytes_meanwhile) const {
    const double all_of_it = 1 / read.back().bytes_per_second;
    const double none_of_it = 1 / l2_reads_per_second;
    if (all_of_it <= none_of_it) return bytes_meanwhile > l2_bytes ? 1 : 0;
    const double seconds = 1 / bandwidth_at(read, bytes_meanwhile);
    return std::clamp((seconds - none_of_it) / (all_of_it - none_of_it), 0.0, 1.0);
}

std::variant<Machine, std::string> machine_of(const HardwareLimits& limits,
                                              const Architecture& architecture) {
    if (architecture.rules != RuleSet::cc50) return early_machine_of(limits, architecture);
    if (const auto missing = missing_figures(limits); !missing.empty())
        return fmt::format("the device's limits lack {}: measure them with camber ceilings",
                           fmt::join(missing, ", "));
    const Ceilings& c = limits.ceilings;
    Machine m;
    m.sm_count = *limits.sm_count;
    m.clock_hz = *limits.sm_clock_hz;
    m.warps_per_sm = resident_warps(architecture);
    m.l2_bytes = static_cast<double>(*limits.warm_l2_bytes);

    Figures figures(m);
    m.read = figures.curve(c, traffic::reads);
    m.triad = figures.curve(c, traffic::triads);
    m.copy = figures.curve(c, traffic::copies);
    m.write = figures.curve(c, traffic::writes);
    m.issues_per_second = figures.rate({}, limits.issues_per_cycle.value_or(4));
    m.l1_requests_per_second = figures.rate(c.l1_requests_per_second, requests_per_cycle);
    const auto of_each_sm = [&](const std::optional<double>& measured, const char* name,
                                double cycles) {
        std::optional<double> seconds;
        if (measured) seconds = m.sm_count / *measured;
        return m.sm_count / figures.seconds(seconds, name, cycles, of_h200);
    };
    m.l2_loads_per_second =
        of_each_sm(c.l2_requests_per_second, "load that reaches L2", l2_load_cycles);
    m.l2_passed_on_per_second =
        of_each_sm(c.l2_stores_per_second, "store that reaches L2", l2_store_cycles);
    m.constant_warps_per_second =
        of_each_sm(c.constant_loads_per_second, "load of a constant", constant_load_cycles);
    m.l1_bytes_per_second = *c.l1_bytes_per_second;
    m.shared_passes_per_second =
        *c.shared_bytes_per_second / (bank_count(RuleSet::cc50) * word_bytes);
    m.texels_per_second = figures.rate(c.texels_per_second, texels_per_cycle);
    m.linear_texels_per_second = figures.rate(c.linear_texels_per_second, linear_texels_per_cycle);
    const auto warps = [](double lanes) { return lanes / warp_lanes_per_instruction; };
    m.fp32_warps_per_second = warps(*c.fp32_flops_per_second / flops_per_fma);
    m.fp64_warps_per_second = warps(*c.fp64_flops_per_second / flops_per_fma);
    m.alu_warps_per_second = warps(*c.lop3_operations_per_second);
    m.descending_slowdown = figures.slowdown(c, m.copy);
    m.l2_reads_per_second = bandwidth_at(m.read, m.l2_bytes / 4);

    m.dram_latency =
        figures.seconds(c.dram_latency_seconds, "DRAM latency", dram_latency_cycles, of_h200);
    // A load issues its requests one after another.
    const double others = requests_of_load - 1;
    const double sent = others * m.sm_count / m.l1_requests_per_second;
    const auto spread = [&](const std::optional<double>& one, const std::optional<double>& last,
                            const char* name, double cycles, const char* source) {
        std::optional<double> deviation;
        if (one && last)
            deviation = std::max(0.0, *last - *one - sent) / largest_of(requests_of_load);
        return figures.seconds(deviation, name, cycles, source);
    };
    const auto row_spread = [&](const std::optional<double>& word, const std::optional<double>& row,
                                const char* name, double cycles) {
        if (word && row) return std::max(0.0, *row - *word) / largest_of(pieces_of_row);
        if (!has_halves(architecture)) return m.l2_spread;
        return figures.seconds(std::nullopt, name, cycles, of_h200);
    };
    m.dram_spread = spread(c.dram_latency_seconds, c.dram_last_of_8_seconds,
                           "spread of DRAM's latency", dram_spread_cycles, of_h200);
    if (c.l2_first_latency_seconds) {
        m.l2_latency = *c.l2_first_latency_seconds;
    } else {
        m.l2_latency =
            figures.seconds(c.l2_latency_seconds, "L2 latency", l2_latency_cycles, of_h200);
        if (has_halves(architecture))
            m.l2_latency +=
                figures.seconds(std::nullopt, "the far half of L2", far_half_cycles, of_h200);
    }
    m.l2_spread = c.l2_first_latency_seconds || has_halves(architecture)
                      ? spread(c.l2_first_latency_seconds, c.l2_first_last_of_8_seconds,
                               "spread of L2's latency", first_spread_cycles, of_h200)
                      : spread(c.l2_latency_seconds, c.l2_last_of_8_seconds,
                               "spread of L2's latency", l2_spread_cycles, of_h200);
    m.l2_row_spread = row_spread(c.l2_latency_seconds, c.l2_row_latency_seconds,
                                 "spread in a row, L2", l2_row_spread_cycles);
    m.dram_row_spread = row_spread(c.dram_latency_seconds, c.dram_row_latency_seconds,
                                   "spread in a row, DRAM", dram_row_spread_cycles);
    m.shared_latency = figures.seconds(c.shared_latency_seconds, "latency of shared memory",
                                       shared_latency_cycles, of_h200);
    m.l1_latency = figures.seconds(c.l1_latency_seconds, "L1 latency", l1_latency_cycles, of_h200);
    m.cluster_barrier = c.cluster_barrier_seconds.value_or(cluster_barrier_cycles / m.clock_hz);
    m.distributed_latency =
        c.distributed_latency_seconds.value_or(distributed_latency_cycles / m.clock_hz);
    m.knows_clusters = c.cluster_barrier_seconds && c.distributed_latency_seconds;
    m.arithmetic_latency = figures.seconds(c.arithmetic_latency_seconds, "latency of arithmetic",
                                           arithmetic_latency_cycles, of_h200);
    // Measured with SMs full of blocks: in the residency time of one block, the SM starts one warp
    // per warp slot.
    std::optional<double> start;
    if (c.block_turnover_seconds) start = *c.block_turnover_seconds / m.warps_per_sm;
    m.warp_starts_per_second =
        m.sm_count / figures.seconds(start, "start of a warp", warp_start_cycles, of_h200);
    m.graph_node =
        figures.host_seconds(c.graph_node_seconds, "node of a graph", graph_node_seconds, of_h200);
    m.stream_gap = figures.host_seconds(c.stream_gap_seconds, "kernel in a stream",
                                        stream_gap_seconds, of_h200);
    m.loaded = figures.loaded(c, m);
    m.launch = figures.host_seconds(c.launch_seconds, "launch", launch_seconds, of_h200);
    return m;
}

namespace {

constexpr int lanes_of_warp = 32;
constexpr int registers_per_sm = 64 * 1024;
constexpr int registers_at_once = 256;  // allocation granularity per warp
constexpr int warps_at_once = 4;        // granularity of the warps that the registers suffice for

struct SmLimits {
    int version;  // 10 * major + minor
    int warps;
    int blocks;
    int shared_kilobytes;
};
constexpr SmLimits all_limits[] = {
    {50, 64, 32, 64},   {52, 64, 32, 96},   {53, 64, 32, 64},   {60, 64, 32, 64},
    {61, 64, 32, 96},   {62, 64, 32, 64},   {70, 64, 32, 96},   {72, 64, 32, 96},
    {75, 32, 16, 64},   {80, 64, 32, 164},  {86, 48, 16, 100},  {87, 48, 16, 164},
    {89, 48, 24, 100},  {90, 64, 32, 228},  {100, 64, 32, 228}, {103, 64, 32, 228},
    {110, 48, 24, 228}, {120, 48, 24, 100}, {121, 48, 24, 100}};

int in_steps(int amount, int step) {
    return (amount + step - 1) / step * step;
}

}  // namespace

std::optional<double> occupancy(const BlockNeeds& block, const Architecture& architecture) {
    const int version = 10 * architecture.major + architecture.minor;
    const auto* const limits = std::ranges::find(all_limits, version, &SmLimits::version);
    if (limits == std::end(all_limits) || block.threads <= 0) return std::nullopt;
    const int warps = (block.threads + lanes_of_warp - 1) / lanes_of_warp;
    int blocks = std::min(limits->blocks, limits->warps / warps);
    if (block.registers > 0) {
        const int of_warp = in_steps(block.registers * lanes_of_warp, registers_at_once);
        const int room = registers_per_sm / of_warp / warps_at_once * warps_at_once;
        blocks = std::min(blocks, room / warps);
    }
    // From 8.0 on, the system reserves 1 KB of shared memory per block.
    const int own = version >= 80 ? 1024 : 0;
    const int shared =
        in_steps(static_cast<int>(block.shared_bytes) + own, version >= 80 ? 128 : 256);
    if (shared > 0) blocks = std::min(blocks, limits->shared_kilobytes * 1024 / shared);
    return static_cast<double>(blocks * warps) / limits->warps;
}

}  // namespace camber
