// Measured ceilings of a device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace camber {

struct CeilingCurvePoint {
    std::int64_t working_set_bytes = 0;  // all arrays together
    double bytes_per_second = 0;
};

using CeilingCurve = std::vector<CeilingCurvePoint>;  // sizes ascending

// Bandwidths count bytes read plus bytes written. Absent or empty: not measured.
struct Ceilings {
    std::optional<double> copy_bytes_per_second;  // by runtime copies
    // Pin bandwidth of the memory: clock times width. Only in files of published figures.
    std::optional<double> pin_bytes_per_second;
    CeilingCurve copy;  // by kernels, over the working set
    CeilingCurve read;
    CeilingCurve write;
    CeilingCurve triad;
    // Copy by blocks that descend through 128 rows of 64 KiB each, for the largest working set.
    std::optional<double> descending_bytes_per_second;
    // For the largest working set: reads (or copies) by blocks of 256 threads with one 8-byte load
    // (and store) per thread, in pieces of 8 or 32 rows of 64 KiB, with this number of resident
    // blocks per SM (4 for 32 pieces).
    std::optional<double> reads_by_1_block_bytes_per_second;
    std::optional<double> reads_by_4_blocks_bytes_per_second;
    std::optional<double> copies_by_1_block_bytes_per_second;
    std::optional<double> copies_by_4_blocks_bytes_per_second;
    std::optional<double> copies_in_32_pieces_bytes_per_second;
    // Maximum of the curves, for working sets of an eighth to a half of L2.
    std::optional<double> l2_bytes_per_second;
    std::optional<double> shared_bytes_per_second;
    std::optional<double> l1_bytes_per_second;
    std::optional<double> fp32_flops_per_second;  // an FMA counts as two
    std::optional<double> fp64_flops_per_second;
    std::optional<double> int32_adds_per_second;
    std::optional<double> lop3_operations_per_second;  // per-thread operations: the ALU pipe
    std::optional<double> launch_seconds;              // per empty kernel, back to back
    std::optional<double> graph_node_seconds;  // per empty kernel in a graph of 1000 dependent ones
    // Time that a kernel takes to begin and to end, back to back with others in a stream that the
    // host keeps filled; measured with kernels of one thread.
    std::optional<double> stream_gap_seconds;
    // The following are missing in older files. Latencies are measured by dependency chains.
    std::optional<double> shared_latency_seconds;
    std::optional<double> l1_latency_seconds;
    std::optional<double> l2_latency_seconds;
    std::optional<double> dram_latency_seconds;
    // Latency of the last of 8 scattered reads in one warp load.
    std::optional<double> l2_last_of_8_seconds;
    std::optional<double> dram_last_of_8_seconds;
    // Latency of the first read of words in L2 that all SMs have written and none has read since:
    // if L2 has two halves, some words come from the far half.
    std::optional<double> l2_first_latency_seconds;
    std::optional<double> l2_first_last_of_8_seconds;
    // Latency of a contiguous warp load of 512 bytes: two pieces of 256.
    std::optional<double> l2_row_latency_seconds;
    std::optional<double> dram_row_latency_seconds;
    std::optional<double> arithmetic_latency_seconds;  // integer multiply-add
    // Two blocks of 256 threads, alone on their SMs; from compute capability 9.0 on.
    std::optional<double> cluster_barrier_seconds;
    // Load from the cluster's other shared memory.
    std::optional<double> distributed_latency_seconds;
    std::optional<double> block_turnover_seconds;  // for a block of 256 threads that stores a word
    std::optional<double> l1_requests_per_second;  // warp requests, for one line of 128 bytes each
    // Rate of requests for one sector each, in different lines: loads of data that stay in L2, and
    // stores. If L2 has two halves, both cache data that are read, but a store goes to the half
    // that owns the line.
    std::optional<double> l2_requests_per_second;
    std::optional<double> l2_stores_per_second;
    // Warp loads, with one address for all lanes that is only known at run time.
    std::optional<double> constant_loads_per_second;
    std::optional<double> texels_per_second;         // fetched from a two-dimensional texture
    std::optional<double> linear_texels_per_second;  // fetched from a line of elements
    // Per-lane operations, each on a different bank.
    std::optional<double> shared_atomics_per_second;
    std::optional<double>
        global_atomics_per_second;  // per-lane operations, on adjacent words in L2
    // Time of the measurement, ISO 8601, if the values were cached by an earlier run.
    std::optional<std::string> measured;

    // DRAM bandwidth: a curve's value at its largest working set, far beyond L2. The copy is the
    // runtime's, if that was measured.
    std::optional<double> dram_copy() const;
    std::optional<double> dram_read() const;
    std::optional<double> dram_write() const;
    // Maximum of the three.
    std::optional<double> dram() const;

    // Fills missing values from `other`.
    void complete_from(const Ceilings& other);
};

}  // namespace camber
