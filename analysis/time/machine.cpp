#include "analysis/time/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/time/early_kernel_time.hpp"

namespace camber {
namespace {

constexpr double requests_of_load = 8;  // of the measurement `last_of_8`
constexpr double pieces_of_row = 2;     // 256 bytes each
constexpr double descended_rows = 128;
constexpr double flops_per_fma = 2;
constexpr const char* of_h200 = "as on an H200";
constexpr double h200_descending_slowdown = 1.08;

// Limits of an SM: CUDA C Programming Guide, technical specifications.
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

// nullptr if they are unknown.
const SmLimits* limits_of_sm(const Architecture& architecture) {
    const int version = 10 * architecture.major + architecture.minor;
    const auto* const found = std::ranges::find(all_limits, version, &SmLimits::version);
    return found == std::end(all_limits) ? nullptr : found;
}

// True for chips whose L2 has two halves; used if their file lacks the latency of first accesses.
bool has_halves(const Architecture& architecture) {
    return architecture.major == 9;
}

// Returns measured figures, or their substitutes, which are recorded in the machine: an H200's
// (results/h200/ceilings.json), in cycles of its 1.98 GHz.
class Figures {
  public:
    explicit Figures(Machine& machine) : machine_(machine) {}

    double seconds(const std::optional<double>& measured, const char* name, double cycles) {
        if (measured) return *measured;
        machine_.assumed.push_back({name, cycles, of_h200});
        return cycles / machine_.clock_hz;
    }
    // Host times do not scale with the device's clock.
    double host_seconds(const std::optional<double>& measured, const char* name, double seconds) {
        return this->seconds(measured, name, seconds * machine_.clock_hz);
    }
    double rate(const std::optional<double>& measured, double per_cycle) const {
        return measured.value_or(per_cycle * machine_.clock_hz * machine_.sm_count);
    }
    // A rate whose substitute is a number of cycles of each SM.
    double rate_of_sms(const std::optional<double>& measured, const char* name, double cycles) {
        const double sms = machine_.sm_count;
        return sms /
               seconds(measured ? std::optional(sms / *measured) : std::nullopt, name, cycles);
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
    double slowdown(const std::optional<double>& descending, const CeilingCurve& copy) {
        const double in_a_row = copy.back().bytes_per_second;
        if (descending) return std::max(1.0, in_a_row / *descending);
        machine_.assumed.push_back(
            {"copy down 128 rows", in_a_row / h200_descending_slowdown / 1e9, of_h200, "GB/s"});
        return h200_descending_slowdown;
    }

    // Standard deviation, from the latencies of a single request and of the last of 8.
    double spread(const std::optional<double>& one, const std::optional<double>& last,
                  const char* name, double cycles) {
        // A load issues its requests one after another.
        const double sent =
            (requests_of_load - 1) * machine_.sm_count / machine_.l1_requests_per_second;
        std::optional<double> deviation;
        if (one && last)
            deviation = std::max(0.0, *last - *one - sent) / largest_of(requests_of_load);
        return seconds(deviation, name, cycles);
    }

    LoadedMemory loaded(const Ceilings& ceilings) {
        if (const auto measured = loaded_memory(ceilings, machine_.sm_count, machine_.dram_spread))
            return *measured;
        const double reads = seconds(std::nullopt, "busy memory, loads", 95);
        return {reads, seconds(std::nullopt, "busy memory, copies", 500), 0.9};
    }

  private:
    Machine& machine_;
};

}  // namespace

std::string missing_figures(
    std::initializer_list<std::pair<std::string_view, bool>> there_by_name) {
    std::vector<std::string_view> missing;
    for (const auto& [name, there] : there_by_name)
        if (!there) missing.push_back(name);
    return fmt::format("{}", fmt::join(missing, ", "));
}

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
    std::size_t more = 1;
    while (more + 1 < bandwidths.size() &&
           written_share > traffic::by_written_share[more].written_share)
        ++more;
    const auto written = [](std::size_t i) { return traffic::by_written_share[i].written_share; };
    return between(written_share, written(more - 1),
                   bandwidth_at(bandwidths[more - 1], working_set), written(more),
                   bandwidth_at(bandwidths[more], working_set)) /
           slowdown;
}

double Machine::read_from_memory(double bytes_meanwhile) const {
    const CeilingCurve& read = bandwidths.front();
    const double all_of_it = 1 / read.back().bytes_per_second;
    const double none_of_it = 1 / l2_reads_per_second;
    if (all_of_it <= none_of_it) return bytes_meanwhile > l2_bytes ? 1 : 0;
    const double seconds = 1 / bandwidth_at(read, bytes_meanwhile);
    return std::clamp((seconds - none_of_it) / (all_of_it - none_of_it), 0.0, 1.0);
}

std::variant<Machine, std::string> machine_of(const HardwareLimits& limits,
                                              const Architecture& architecture) {
    if (architecture.rules != RuleSet::cc50) return early_machine_of(limits, architecture);
    const Ceilings& c = limits.ceilings;
    // A curve may replace another one, but at least one curve is required.
    const bool a_curve = !c.copy.empty() || !c.read.empty() || !c.write.empty() || !c.triad.empty();
    if (const std::string missing = missing_figures(
            {{"sm_count", limits.sm_count.has_value()},
             {"sm_clock_hz", limits.sm_clock_hz.has_value()},
             {"l2_bytes", limits.warm_l2_bytes.has_value()},
             {"copy, read, write, triad", a_curve},
             {"l1_bytes_per_second", c.l1_bytes_per_second.has_value()},
             {"shared_bytes_per_second", c.shared_bytes_per_second.has_value()},
             {"fp32_flops_per_second", c.fp32_flops_per_second.has_value()},
             {"fp64_flops_per_second", c.fp64_flops_per_second.has_value()},
             {"lop3_operations_per_second", c.lop3_operations_per_second.has_value()}});
        !missing.empty())
        return fmt::format("the device's limits lack {}: measure them with camber ceilings",
                           missing);
    Machine m;
    m.sm_count = *limits.sm_count;
    m.clock_hz = *limits.sm_clock_hz;
    const SmLimits* const sm = limits_of_sm(architecture);
    m.warps_per_sm = sm ? sm->warps : 64;
    m.l2_bytes = static_cast<double>(*limits.warm_l2_bytes);

    Figures figures(m);
    for (std::size_t i = 0; i < m.bandwidths.size(); ++i)
        m.bandwidths[i] = figures.curve(c, traffic::by_written_share[i]);
    m.issues_per_second = figures.rate({}, limits.issues_per_cycle.value_or(4));
    // An SM of 7.0 and later has 32 lanes for loads and stores and 4 texture units (NVIDIA's papers
    // on these architectures). Hardware counters report a warp's fetch as 8 requests of the texture
    // unit for pitched textures, and as 4 for linear memory (results/h100/life-counters.json).
    m.l1_requests_per_second = figures.rate(c.l1_requests_per_second, 1);
    m.texels_per_second = figures.rate(c.texels_per_second, 4);
    m.linear_texels_per_second = figures.rate(c.linear_texels_per_second, 8);
    m.l2_loads_per_second =
        figures.rate_of_sms(c.l2_requests_per_second, "load that reaches L2", 1 / 0.6);
    m.l2_passed_on_per_second =
        figures.rate_of_sms(c.l2_stores_per_second, "store that reaches L2", 1 / 0.33);
    m.constant_warps_per_second =
        figures.rate_of_sms(c.constant_loads_per_second, "load of a constant", 2);
    m.l1_bytes_per_second = *c.l1_bytes_per_second;
    m.shared_passes_per_second =
        *c.shared_bytes_per_second / (bank_count(RuleSet::cc50) * word_bytes);
    const auto warps = [](double lanes) { return lanes / warp_lanes; };
    m.fp32_warps_per_second = warps(*c.fp32_flops_per_second / flops_per_fma);
    m.fp64_warps_per_second = warps(*c.fp64_flops_per_second / flops_per_fma);
    m.alu_warps_per_second = warps(*c.lop3_operations_per_second);
    m.descending_slowdown = figures.slowdown(c.descending_bytes_per_second, m.bandwidths[2]);
    m.l2_reads_per_second = bandwidth_at(m.bandwidths.front(), m.l2_bytes / 4);

    m.dram_latency = figures.seconds(c.dram_latency_seconds, "DRAM latency", 644);
    m.dram_spread = figures.spread(c.dram_latency_seconds, c.dram_last_of_8_seconds,
                                   "spread of DRAM's latency", 185);
    const bool far = has_halves(architecture);
    if (c.l2_first_latency_seconds) {
        m.l2_latency = *c.l2_first_latency_seconds;
    } else {
        m.l2_latency = figures.seconds(c.l2_latency_seconds, "L2 latency", 288);
        if (far) m.l2_latency += figures.seconds(std::nullopt, "the far half of L2", 37);
    }
    m.l2_spread = c.l2_first_latency_seconds || far
                      ? figures.spread(c.l2_first_latency_seconds, c.l2_first_last_of_8_seconds,
                                       "spread of L2's latency", 88)
                      : figures.spread(c.l2_latency_seconds, c.l2_last_of_8_seconds,
                                       "spread of L2's latency", 17);
    const auto row_spread = [&](const std::optional<double>& word, const std::optional<double>& row,
                                const char* name, double cycles) {
        if (word && row) return std::max(0.0, *row - *word) / largest_of(pieces_of_row);
        return far ? figures.seconds(std::nullopt, name, cycles) : m.l2_spread;
    };
    m.l2_row_spread =
        row_spread(c.l2_latency_seconds, c.l2_row_latency_seconds, "spread in a row, L2", 51);
    m.dram_row_spread = row_spread(c.dram_latency_seconds, c.dram_row_latency_seconds,
                                   "spread in a row, DRAM", 139);
    m.shared_latency = figures.seconds(c.shared_latency_seconds, "latency of shared memory", 28.8);
    m.l1_latency = figures.seconds(c.l1_latency_seconds, "L1 latency", 40.2);
    // Substitutes are an H100's: results/cards/h100.json.
    m.cluster_barrier = c.cluster_barrier_seconds.value_or(925 / m.clock_hz);
    m.distributed_latency = c.distributed_latency_seconds.value_or(193 / m.clock_hz);
    m.knows_clusters = c.cluster_barrier_seconds && c.distributed_latency_seconds;
    m.arithmetic_latency =
        figures.seconds(c.arithmetic_latency_seconds, "latency of arithmetic", 4.5);
    // Measured with SMs full of blocks: in the residency time of one block, the SM starts one warp
    // per warp slot.
    std::optional<double> start;
    if (c.block_turnover_seconds) start = *c.block_turnover_seconds / m.warps_per_sm;
    m.warp_starts_per_second = m.sm_count / figures.seconds(start, "start of a warp", 19.8);
    m.graph_node = figures.host_seconds(c.graph_node_seconds, "node of a graph", 0.480e-6);
    m.stream_gap = figures.host_seconds(c.stream_gap_seconds, "kernel in a stream", 1.33e-6);
    m.loaded = figures.loaded(c);
    m.launch = figures.host_seconds(c.launch_seconds, "launch", 3.85e-6);
    return m;
}

namespace {

constexpr int registers_per_sm = 64 * 1024;
constexpr int registers_at_once = 256;  // allocation granularity per warp
constexpr int warps_at_once = 4;        // granularity of the warps that the registers suffice for

int in_steps(int amount, int step) {
    return (amount + step - 1) / step * step;
}

}  // namespace

std::optional<double> occupancy(const BlockNeeds& block, const Architecture& architecture) {
    const SmLimits* const limits = limits_of_sm(architecture);
    if (!limits || block.threads <= 0) return std::nullopt;
    const int warps = (block.threads + warp_lanes - 1) / warp_lanes;
    int blocks = std::min(limits->blocks, limits->warps / warps);
    if (block.registers > 0) {
        const int of_warp = in_steps(block.registers * warp_lanes, registers_at_once);
        const int room = registers_per_sm / of_warp / warps_at_once * warps_at_once;
        blocks = std::min(blocks, room / warps);
    }
    // From 8.0 on, the system reserves 1 KB of shared memory per block.
    const bool reserves = limits->version >= 80;
    const int shared = in_steps(static_cast<int>(block.shared_bytes) + (reserves ? 1024 : 0),
                                reserves ? 128 : 256);
    if (shared > 0) blocks = std::min(blocks, limits->shared_kilobytes * 1024 / shared);
    return static_cast<double>(blocks * warps) / limits->warps;
}

}  // namespace camber
