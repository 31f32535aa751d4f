// Predicted time of one kernel launch from exact counts, machine code and device ceilings, or of a
// library call from its bytes alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "analysis/time/machine.hpp"
#include "harness/record/case_record.hpp"

namespace camber {

// Predicts the time of one kernel launch from exact counts, machine code and device ceilings.

// Resource that a launch spends time on.
enum class TimeResource : std::uint8_t {
    dram,  // or L2, where the working set stays there
    l2,    // what SMs and L2 exchange
    l1,    // L1 and shared memory, which have one data path
    texture,
    issue,    // slots of the schedulers
    pipes,    // the busiest arithmetic pipe
    starts,   // of blocks, warp by warp
    latency,  // of the chain of a block, as often as places for blocks are filled
    busy,     // what memory in use delays these chains
    launch,   // the kernel's start, and the chain of the last blocks
};

inline constexpr std::size_t time_resources = 10;

std::string_view name(TimeResource resource);   // in results files: "L1 and shared memory"
std::string_view label(TimeResource resource);  // in tables and sentences

struct TimePart {
    TimeResource resource = TimeResource::dram;
    double seconds = 0;
    std::string basis;  // what was divided by what, as a phrase
};

struct PredictedTime {
    std::vector<TimePart> parts;  // in the order of TimeResource, without those that take nothing
    double seconds = 0;
    // Ends of the interval. Causes: overlap of parts, from best to worst
    // observed (none below four waves); loaded latency, from none to
    // twice; executed code, from the least to the most that the counts
    // allow; reused data, all cached or all evicted; a warp's loads, all
    // or none in L1; and rates, as far as kernels reach them. Each cause
    // is varied alone, and the logarithms of the resulting factors add up
    // as squares.
    double low = 0;
    double high = 0;
    std::vector<std::string> doubts;  // why it is uncertain: a phrase each

    bool uncertain() const { return !doubts.empty(); }
    // The largest part.
    const TimePart& binding() const;
};

// How unequal the warps of a launch are, where their accesses depend on data: of the loads that the
// warp with most makes, over a warp's on average.
struct LoadSpread {
    double of_block = 1;   // in a block, on average over blocks
    double of_launch = 1;  // in the launch
};

// Data of a launch that another launch of the same step touched before.
struct Revisit {
    double share = 0;        // of the launch's distinct bytes
    double bytes_since = 0;  // that the step has touched since
};

// A launch to predict.
struct KernelWork {
    LaunchModel counts;
    double blocks = 0;
    int threads_per_block = 0;
    bool distinct_known = true;    // whether distinct bytes were counted, and not sampled
    bool linear_textures = false;  // they are lines of elements
    double copies = 1;             // see copies_executed(), of its loads from shared memory
    LoadSpread spread;
    double pieces_of_block = 0;  // see Locality
    double read_beside = 0;      // share of what blocks read, see Locality
    // Distinct bytes of all launches of the step; 0 stands for those of this one.
    double step_bytes = 0;
    // The rest was touched a whole step ago.
    std::vector<Revisit> revisits;
    int cluster_blocks = 1;
    results::Kernel code;  // with occupancy and instructions
};

// With all parts except the launch in seconds, T = launch + (sum of part^3)^(1/3): resources of an
// SM work at the same time, but the busiest one sometimes waits for the others. With an exponent of
// 1 nothing would overlap, with a large one everything. If two parts are views of the same work,
// only the larger one counts: DRAM and L2, issue and pipes, starts and latency. This applies to
// full waves of blocks. The blocks of the first two waves begin together and issue the same
// requests at the same time, so they overlap less: their exponent is 2.5, or 3.7 if warps share
// work dynamically. The last wave, with fewer blocks, follows the others, with its share of the
// parts and a whole dependency chain.
//
// Beyond L2, blocks are limited by more than bandwidth: the larger its used share, the longer each
// access takes (LoadedMemory). T is at least the self-consistent time: the sum of the other parts
// with each wait as long as it is while DRAM / T of the bandwidth is used. The additional delay
// over all waves is the part `busy`.
//
//   DRAM      distinct bytes of the launch / bandwidth at the working set of its step and its write
//             share; less if blocks go down rows. Such blocks read shared rows again if a wave of
//             blocks moves more than half of L2, except whole lines that they share with the
//             adjacent block. They read their own rows again as far as these were evicted from
//             L2, by the bytes that all resident warps have read and written in between (reuse
//             distance): since the same warp read them, or another warp of the block, which runs
//             in lockstep
//   L2        the largest of: distinct bytes of each block, plus reuse that misses L1, / read
//             bandwidth; stored sectors / write bandwidth; requests for lines by a warp's loads
//             and stores / their request rates
//   L1        shared memory passes; global memory requests / their rate, which includes the first
//             pass over the banks, plus further passes; a pass per line of a store; and data
//             that arrive from L2 into the banks
//   texture   fetches * 32 / texels per second
//   issue     warp instructions / issue slots, or the fetch time if the code exceeds the
//             instruction cache (InstructionFetch) and that is longer
//   pipes     instructions of the busiest of FP32, FP64, ALU, multiply and constant loads / its
//             rate
//   latency   a block's dependency chain, once per wave of blocks (Little's law; Volkov 2016,
//             "Understanding Latency Hiding on GPUs"): the start of its warps, a warp's issue
//             cycles and stalls, where a memory stall lasts until the last of a block's requests
//             is answered (harness/machine/sass/instructions.hpp), and its barriers. If warps
//             synchronize, the chain of the busiest warp; between a cluster's barriers, the
//             trip to another block's shared memory. Clusters leave block slots empty. Without
//             a schedule: one access past L1, further ones if loads continue into shared
//             memory or an iteration loads new data, and the latency of arithmetic for each
//             instruction. A block ends with its busiest warp, a launch not before its
//             longest block.
//   launch    beginning and end of a kernel in a stream or graph, plus the time before a block
//             computes, for the first blocks and for the last, which nothing hides; and the
//             additional chain of blocks at the board's edge, which are among the last
//             ones
//
// Hong and Kim 2009 ("An Analytical Model for a GPU Architecture with Memory-level and Thread-level
// Parallelism Awareness") combine the same quantities by cases.
PredictedTime kernel_time(const KernelWork& work, const Machine& machine);

// Time of a kernel that runs `number` times, or in that share of all launches.
PredictedTime scaled(PredictedTime time, double number);

// Time of kernels that run one after another in a stream: adds parts by resource. `launches` take
// at least as long as the host needs to submit them. `times` is not empty.
PredictedTime sum(const std::vector<PredictedTime>& times, const Machine& machine, double launches);

// Time of a library call that replaces a kernel; only its bytes are known.

// Kernels of a library that run one after another, and the bytes that they move together.
struct LibraryWork {
    double read_bytes = 0;
    double written_bytes = 0;
    int kernels = 0;
};

// Its kernels start one after another, and move their bytes as a copy does. The interval goes from
// half of it to twice: nobody sees their accesses, nor how long their blocks wait for each other.
PredictedTime library_time(const LibraryWork& work, const Machine& machine);

}  // namespace camber
