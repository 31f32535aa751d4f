// Device resources that a kernel may exhaust, and lower bounds on a launch's time: amount divided
// by ceiling for each part of the memory system.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Device resources that a kernel may exhaust: parts of the memory system and SM pipes.
enum class Resource { dram, l2, l1, shared, issue, alu, fp32, fp64 };

std::string_view name(Resource resource);  // in words, e.g. "shared memory"
std::string_view key(Resource resource);   // in files, e.g. "shared"
// First word of the name of the resource with this key, for narrow tables: "shared"; the key itself
// if no resource has it.
std::string_view short_name(std::string_view key);
// Unit of the resource's rate and ceiling: "bytes", "instructions" or "operations".
std::string_view unit(Resource resource);

// Lower bounds on a launch's time: amount / ceiling for each part of the memory system.

// Device limits: measured ceilings and reported properties. An unknown limit gives no bound; all
// values must be positive.
struct HardwareLimits {
    Ceilings ceilings;
    std::optional<int> sm_count;
    std::optional<double> sm_clock_hz;
    std::optional<double> issues_per_cycle;  // warp instructions, per SM
    // Set for a launch that finds L2 as the previous one left it: if all it touches fits, DRAM may
    // stay idle and sets no bound. Leave empty for a launch after a flush of L2.
    std::optional<std::int64_t> warm_l2_bytes;
};

// Limits of the GPU of a document from `camber run` or `camber ceilings`, with a warm L2; absent if
// the document has no GPU.
std::optional<HardwareLimits> hardware_limits(const results::Document& document);

struct Bound {
    Resource resource = Resource::dram;
    double seconds = 0;
    std::string basis;  // amount and rate of the quotient, as a phrase for a report

    // "DRAM", "L2", "L1", "shared memory" or "issue": the name in results files of a model.
    std::string_view limit() const;
};

struct Bounds {
    std::vector<Bound> all;  // in the order of Resource, only resources with known ceilings
    // The largest bound; absent without ceilings. The launch cannot be faster; if it is much
    // slower, latency, arithmetic or synchronization limits it.
    std::optional<Bound> largest() const;
};

// With U the launch's distinct bytes in whole sectors (reads plus writes), M bytes moved:
//
//   DRAM    U / dram, the highest bandwidth measured: every byte used crosses the bus at least
//           once. On compute capability 1.x, which has no cache for global memory, M of global
//           memory / dram.
//   L2      Sum over blocks of the block's distinct bytes in whole sectors / l2: each block fetches
//           its own bytes once, as if its L1 lost nothing. Blocks on one SM that share bytes
//           through its L1 can beat this only by the shared bytes. On 2.x with L1 bypassed and
//           on 3.x global loads are not cached in L1: M of global memory / l2. No bound on 1.x.
//   L1      Bytes that the lanes of each request use, of global, texture and local memory / l1:
//           the rest of a sector need not leave L1. No bound on 1.x.
//   shared  passes * banks * 4 bytes / shared: a pass occupies all banks. Atomics included.
//   issue   memory instructions / (issues per cycle * clock * SMs); arithmetic comes on top.
//
// Ceilings of L1, shared memory and issue grow with the number of busy SMs: a launch of fewer
// blocks than SMs uses one SM per block. That needs sm_count; if it is unknown, all SMs are taken
// as busy, which keeps the bound valid. L1 and shared memory share one data path on 7.0 and later,
// so their sum is a bound there, too; it is not computed here.
//
// Throws std::invalid_argument for a ceiling that is not positive.
Bounds time_bounds(const LaunchModel& launch, const HardwareLimits& limits);

}  // namespace camber
