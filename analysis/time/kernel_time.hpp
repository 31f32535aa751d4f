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

// Resource that a launch spends time on.
enum class TimeResource : std::uint8_t {
    dram,  // or L2, where the working set stays there
    l2,    // traffic between SMs and L2
    l1,    // L1 and shared memory, which have one data path
    texture,
    issue,    // issue slots of the schedulers
    pipes,    // the busiest arithmetic pipe
    starts,   // warp launches of blocks
    latency,  // dependency chain of a block, once per wave
    busy,     // additional latency of these chains under memory load
    launch,   // start of the kernel, and the chain of the last blocks
};

inline constexpr std::size_t time_resources = 10;

std::string_view name(TimeResource resource);   // in results files: "L1 and shared memory"
std::string_view label(TimeResource resource);  // in tables and sentences

struct TimePart {
    TimeResource resource = TimeResource::dram;
    double seconds = 0;
    std::string basis;  // amount and rate of the quotient, as a phrase
};

// Time of a part; 0 if it is absent.
double seconds_of(const std::vector<TimePart>& parts, TimeResource resource);

struct PredictedTime {
    std::vector<TimePart> parts;  // in the order of TimeResource, without parts of zero time
    double seconds = 0;
    // Ends of the interval: see set_interval(). On devices of compute capability 1.x and 2.x, they
    // follow from assumptions.
    double low = 0;
    double high = 0;
    std::vector<std::string> doubts;  // reasons for the uncertainty, one phrase each

    bool uncertain() const { return !doubts.empty(); }
    // The largest part.
    const TimePart& binding() const;
};

// Imbalance between the warps of a launch with data-dependent accesses: loads of the busiest warp
// over the average.
struct LoadSpread {
    double of_block = 1;   // within a block, averaged over blocks
    double of_launch = 1;  // within the launch
};

// Data of a launch that another launch of the same step touched before.
struct Revisit {
    double share = 0;        // of the launch's distinct bytes
    double bytes_since = 0;  // bytes that the step has touched since then
};

// A launch to predict.
struct KernelWork {
    LaunchModel counts;
    double blocks = 0;
    int threads_per_block = 0;
    bool distinct_known = true;    // false if distinct bytes follow from sampled blocks
    bool linear_textures = false;  // textures of linear memory
    double copies = 1;             // see copies_executed(), for loads from shared memory
    LoadSpread spread;
    double pieces_of_block = 0;  // see Locality
    double read_beside = 0;      // share of the blocks' reads, see Locality
    // Distinct bytes of all launches of the step; 0: those of this launch.
    double step_bytes = 0;
    // Data touched by earlier launches of the step. The remaining data was last touched a whole
    // step ago.
    std::vector<Revisit> revisits;
    results::Kernel code;  // with occupancy and instructions
};

double warps_per_block(const KernelWork& work);

// With all parts except the launch in seconds, T = launch + (sum of part^3)^(1/3): resources of an
// SM work at the same time, but the busiest one sometimes waits for the others. If two parts are
// views of the same work, only the larger one counts: DRAM and L2, issue and pipes, starts and
// latency. This applies to full waves of blocks. The blocks of the first two waves begin together
// and issue the same requests at the same time, so they overlap less. The last wave, with fewer
// blocks, follows the others, with its share of the parts and a whole dependency chain.
//
// Beyond L2, blocks are limited by more than bandwidth: the larger its used share, the longer each
// access takes (LoadedMemory). T is at least the self-consistent time: the sum of the other parts
// with each wait as long as it is while DRAM / T of the bandwidth is used. The additional delay
// over all waves is the part `busy`.
//
// docs/time-model.md lists the parts. Hong and Kim 2009 ("An Analytical Model for a GPU
// Architecture with Memory-level and Thread-level Parallelism Awareness") combine the same
// quantities by cases.
PredictedTime kernel_time(const KernelWork& work, const Machine& machine);

// Time of a kernel that runs `number` times, or in a fraction `number` of all launches.
PredictedTime scaled(PredictedTime time, double number);

// Total time of kernels that run one after another in a stream, by resource. `launches` take at
// least as long as the host needs to submit them. `times` must not be empty.
PredictedTime sum(const std::vector<PredictedTime>& times, const Machine& machine, double launches);

// A library call that replaces a kernel: a sequence of kernels of which only the total bytes are
// known.
struct LibraryWork {
    double read_bytes = 0;
    double written_bytes = 0;
    int kernels = 0;
};

// Time of a library call: its kernels start one after another and move their bytes at copy
// bandwidth. Uncertain, because accesses and synchronization are unknown.
PredictedTime library_time(const LibraryWork& work, const Machine& machine);

}  // namespace camber
