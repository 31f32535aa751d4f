// The time of one kernel launch, predicted from exact counts, machine code and a device's figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "analysis/time/machine.hpp"
#include "harness/results/case_record.hpp"

namespace camber {

// What a launch's time goes to.
enum class TimeResource : std::uint8_t {
    dram,  // or L2, where the working set stays there
    l2,    // what multiprocessors and L2 exchange
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
    // Ends of an interval. Parts overlap as well as they can, or as badly as was ever seen (not at
    // all where places for blocks are filled fewer than four times); memory in use delays nothing,
    // or twice as long; as little, or as much, of the
    // text is executed as the counts allow; what is read again is in the caches still or has left
    // them; a warp's loads are found in L1, or none is; and rates are reached as far as kernels
    // reach them. Each of these is varied alone, and the logarithms of their factors add up as
    // squares.
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

// What a launch touches again after another launch of its step.
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
    results::Kernel code;          // with occupancy and instructions
};

// With all parts but the launch in seconds, T = launch + (sum of part^3)^(1/3): resources of a
// multiprocessor work at the same time, but the busiest waits for the others now and then. With an
// exponent of 1 nothing would overlap, with a large one everything. Of two views of the same only
// the larger takes part: DRAM and L2, issue and pipes, starts and latency. That is so of the times
// that all places for blocks are filled. The blocks of the first two fillings begin together and
// ask for the same at the same time: less of it overlaps, and their exponent is 2.5, or 3.7 where
// warps take their work from each other. The last filling, with fewer blocks, comes after the
// others, with its share of the parts and a whole chain.
//
// Past L2 it is not the bandwidth alone that limits blocks: the more of it is used, the longer each
// access takes (LoadedMemory). T is at least the time in which that is true of itself: the sum of
// the other parts where each wait for memory lasts as long as it does while DRAM / T of the
// bandwidth is used. What it delays, as often as places are filled, is the part `busy`.
//
//   DRAM      distinct bytes of the launch / bandwidth at what its step touches until it touches
//             the same again, and at that share of writes; less where blocks go down rows.
//             Blocks that go down their rows in step read shared rows again, where a filling of all
//             places moves more than half of L2, but no whole lines that they share with the block
//             beside. They read their own again as far as these have left L2, by how much all warps
//             at work have read and written meanwhile (distances of reuse): since a warp itself
//             read it, or another one of the block, which goes in step
//   L2        distinct bytes of each block, and what it reads again after it has left L1, / reads
//             of L2; sectors stored / writes; requests for lines of which a warp's load or store
//             needs any / the rates at which L2 takes them; the largest
//   L1        passes of shared memory; requests of global memory at their rate, which includes the
//             first pass over the banks, and further passes; of a store, a pass for each line; and
//             what comes from L2 into the banks
//   texture   fetches * 32 / texels per second
//   issue     instructions of warps / slots, or what it takes to fetch those of a text that is
//             longer than the cache of instructions (InstructionFetch), where that is longer
//   pipes     instructions of the busiest of FP32, FP64, ALU, multiply and loads of constants / its
//             rate
//   latency   a block's chain, once for every time that all places for blocks are filled (Little's
//             law; Volkov 2016, "Understanding Latency Hiding on GPUs"): the start of its warps,
//             the cycles in which a warp issues and its waits for results, of which that for memory
//             lasts until the last of a block's requests is answered (harness/static/
//             schedule.hpp), and its barriers. Where warps meet, those of the one that has most to
//             do; between a cluster's barriers, the way to another block's shared memory. Clusters
//             leave places empty. Without a schedule one access past L1, further ones where loads
//             go on into shared memory or a loop's round brings something new, and the latency of
//             arithmetic for each instruction. A block ends with the warp that has most to do, and
//             a launch not before the block that has the longest.
//   launch    what a kernel takes to begin and to end in a stream or a graph, and what a block
//             takes before it computes, for the first blocks and for the last: then nothing hides
//             it; and how much longer the chain of blocks at the board's edge is, which are among
//             the last
//
// Hong and Kim 2009 ("An Analytical Model for a GPU Architecture with Memory-level and Thread-level
// Parallelism Awareness") combine the same quantities by cases.
PredictedTime kernel_time(const KernelWork& work, const Machine& machine);

// Of a kernel that runs so many times, or in so many of all cases.
PredictedTime scaled(PredictedTime time, double number);

// Of kernels that run one after another in a stream: parts are added by resource, and `launches`
// take as long as the host needs to submit them, at least. `times` is not empty.
PredictedTime sum(const std::vector<PredictedTime>& times, const Machine& machine, double launches);

}  // namespace camber
