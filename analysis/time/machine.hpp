// Device ceilings that a time prediction needs: rates, latencies and residency limits, and the
// occupancy of an SM by a kernel's blocks.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/memory/architecture.hpp"
#include "analysis/memory/bounds.hpp"
#include "analysis/time/curves.hpp"
#include "analysis/time/terms.hpp"
#include "harness/record/ceilings.hpp"

namespace camber {

struct EarlyMachine;

// Ceilings of a device for time predictions. Rates are per second and for all SMs together.
struct Machine {
    int sm_count = 1;
    double clock_hz = 0;  // of the SMs
    int warps_per_sm = 64;
    double l2_bytes = 0;

    double issues_per_second = 0;       // warp instructions
    double l1_requests_per_second = 0;  // warp requests: a request, or a tag of a 128-byte line
    double l1_bytes_per_second = 0;
    double shared_passes_per_second = 0;
    double texels_per_second = 0;  // of pitched textures
    double linear_texels_per_second = 0;
    double fp32_warps_per_second = 0;  // warp instructions by pipe
    double fp64_warps_per_second = 0;
    double alu_warps_per_second = 0;
    double constant_warps_per_second = 0;  // loads from constant memory
    // Request rates, each request up to one line: loads that L2 serves, and requests that are
    // passed on to the far half of L2 or to DRAM.
    double l2_loads_per_second = 0;
    double l2_passed_on_per_second = 0;
    double l2_reads_per_second = 0;  // bytes
    // Time of a copy by blocks that go down 128 rows, relative to a copy along a row.
    double descending_slowdown = 1;
    double warp_starts_per_second = 0;  // warps of starting and ending blocks

    // Seconds. First access to L2 for words not read since they were written: if L2 has two halves,
    // some are in the far one.
    double l2_latency = 0;
    double dram_latency = 0;
    // Standard deviations of latencies from request to request, and between adjacent pieces of 256
    // bytes in a row.
    double l2_spread = 0;
    double dram_spread = 0;
    double l2_row_spread = 0;
    double dram_row_spread = 0;
    double shared_latency = 0;
    double l1_latency = 0;
    double cluster_barrier = 0;
    double distributed_latency = 0;  // shared memory of another block of the cluster
    bool knows_clusters = true;      // false: cluster barrier and latency are an H100's
    double arithmetic_latency = 0;
    // Beginning and end of a kernel in a stream, and of one in a graph.
    double stream_gap = 0;
    double graph_node = 0;
    double launch = 0;  // back-to-back launches by the host
    LoadedMemory loaded;

    // Bytes per second over the working set, in the order of traffic::by_written_share.
    std::array<CeilingCurve, traffic::by_written_share.size()> bandwidths;

    // A substitute for a figure that the device's file lacks.
    struct Assumed {
        std::string what;  // "L2 latency"
        double cycles = 0;
        std::string source;
        std::string unit = "cycles";
    };
    std::vector<Assumed> assumed;
    // Reasons why all times are uncertain, one phrase each.
    std::vector<std::string> doubts;

    // Set for compute capability 1.x and 2.x, with all rates and latencies; the members above are
    // then unused. Null for later devices.
    std::shared_ptr<const EarlyMachine> early;

    ModelSettings settings;

    // The same machine for kernels in a CUDA graph: they follow each other faster, and the host
    // submits them all at once.
    Machine replaying_graphs() const;

    double busy_share(double blocks) const;  // share of the SMs, 0 to 1
    // Bandwidth in bytes per second for a working set and a share of writes, for blocks that
    // process `rows` rows top to bottom. Beyond L2 more rows are slower: interpolated in the
    // logarithm of the rows up to the measured copy of 128 rows.
    double memory_rate(double working_set, double written_share, double rows = 1) const;
    // Share of re-read bytes that L2 has evicted, for bytes read in between. It follows from the
    // additional time of repeated reads of that working set, relative to L2 alone.
    double read_from_memory(double bytes_meanwhile) const;
};

// The machine, or a sentence that names the ceilings missing in its file.
std::variant<Machine, std::string> machine_of(const HardwareLimits& limits,
                                              const Architecture& architecture);

// Names, with commas between them, of the figures that a file lacks; "" if none is missing.
std::string missing_figures(std::initializer_list<std::pair<std::string_view, bool>> there_by_name);

// Occupancy of an SM by a kernel's blocks.
struct BlockNeeds {
    int threads = 0;
    int registers = 0;             // per thread
    std::size_t shared_bytes = 0;  // static and dynamic
};

// Resident warps over the maximum of an SM, 0 to 1, as computed by the runtime for kernels that
// leave the carve-out of shared memory to the driver. Covers compute capability 5.0 to 12.x (CUDA
// C++ Programming Guide, "Technical Specifications per Compute Capability"; CUDA Occupancy
// Calculator); absent for others.
std::optional<double> occupancy(const BlockNeeds& block, const Architecture& architecture);

}  // namespace camber
