// The device's own limits: what was measured of them.
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
    std::optional<double> copy_bytes_per_second;  // by the runtime's copies
    // What the memory's pins can carry: clock and width. Only files of published figures have it.
    std::optional<double> pin_bytes_per_second;
    CeilingCurve copy;  // by kernels, over the working set
    CeilingCurve read;
    CeilingCurve write;
    CeilingCurve triad;
    // A copy by blocks that go down 128 rows of 64 KiB each, all of the largest working set.
    std::optional<double> descending_bytes_per_second;
    // Of the largest working set, by blocks of 256 threads with a load of 8 bytes each, and, where
    // they copy, a store: pieces of 8 rows of 64 KiB, or of 32, by so many blocks on each
    // multiprocessor at once (those in 32 pieces: 4).
    std::optional<double> reads_by_1_block_bytes_per_second;
    std::optional<double> reads_by_4_blocks_bytes_per_second;
    std::optional<double> copies_by_1_block_bytes_per_second;
    std::optional<double> copies_by_4_blocks_bytes_per_second;
    std::optional<double> copies_in_32_pieces_bytes_per_second;
    // The highest of the curves, working set an eighth to a half of L2.
    std::optional<double> l2_bytes_per_second;
    std::optional<double> shared_bytes_per_second;
    std::optional<double> l1_bytes_per_second;
    std::optional<double> fp32_flops_per_second;  // an FMA counts two
    std::optional<double> fp64_flops_per_second;
    std::optional<double> int32_adds_per_second;
    std::optional<double> int32_multiply_adds_per_second;  // a multiply-add counts one
    std::optional<double> lop3_operations_per_second;      // of one thread: the ALU pipe
    std::optional<double> launch_seconds;                  // per empty kernel, back to back
    std::optional<double> graph_node_seconds;  // per empty kernel of a graph of 1000 in a row
    // A kernel's beginning and end, of one thread, after another in a stream that the host keeps
    // filled.
    std::optional<double> stream_gap_seconds;
    // Older files lack the following. Latencies are those of a chain of which each link needs the
    // one before.
    std::optional<double> shared_latency_seconds;
    std::optional<double> l1_latency_seconds;
    std::optional<double> l2_latency_seconds;
    std::optional<double> dram_latency_seconds;
    // Of a warp's load of which 8 lanes read from a place each: until the last has arrived.
    std::optional<double> l2_last_of_8_seconds;
    std::optional<double> dram_last_of_8_seconds;
    // Of words in L2 that all multiprocessors have written and none has read since, the first time:
    // where L2 has two halves, some come from the far one.
    std::optional<double> l2_first_latency_seconds;
    std::optional<double> l2_first_last_of_8_seconds;
    // Of a warp's load of 512 bytes in a row: two pieces of 256.
    std::optional<double> l2_row_latency_seconds;
    std::optional<double> dram_row_latency_seconds;
    std::optional<double> arithmetic_latency_seconds;  // of an integer multiply-add
    std::optional<double> barrier_seconds;             // of a block of 256 threads, alone on its SM
    std::optional<double> cluster_barrier_seconds;     // of two such blocks; from 9.0 on
    std::optional<double> distributed_latency_seconds;  // of a cluster's other shared memory
    // Share of the places for blocks that clusters of so many fill, two places a multiprocessor.
    std::optional<double> places_in_clusters_of_4;
    std::optional<double> places_in_clusters_of_8;
    std::optional<double> block_turnover_seconds;  // a block of 256 threads that stores a word
    std::optional<double> l1_requests_per_second;  // of warps, one line of 128 bytes each
    // For a sector of a line of its own each: loads of what stays in L2, and stores. Of an L2 in
    // two halves both have what is read, but a store goes on to the one that the line belongs to.
    std::optional<double> l2_requests_per_second;
    std::optional<double> l2_stores_per_second;
    // Of warps, all lanes at one address that is known when it is run.
    std::optional<double> constant_loads_per_second;
    // Of machine code: one warp on each multiprocessor goes round a loop of so many bytes.
    CeilingCurve instruction_fetch;
    std::optional<double> texels_per_second;          // fetched from a two-dimensional texture
    std::optional<double> linear_texels_per_second;   // fetched from a line of elements
    std::optional<double> shared_atomics_per_second;  // of lanes, each to a bank of its own
    std::optional<double> global_atomics_per_second;  // of lanes, to words of L2 side by side
    // When, ISO 8601: before the run that tells it, where they were kept from an earlier one.
    std::optional<std::string> measured;

    // DRAM: a curve's value at its largest working set, far outside of L2. The copy is the
    // runtime's where that was measured.
    std::optional<double> dram_copy() const;
    std::optional<double> dram_read() const;
    std::optional<double> dram_write() const;
    // The highest of the three.
    std::optional<double> dram() const;

    // Takes what is missing here from `other`.
    void complete_from(const Ceilings& other);
};

}  // namespace camber
