// Figures derived from counters: amounts per launch, ratios, and the share of each device ceiling
// that a case reaches. Also formats such numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/bounds.hpp"
#include "analysis/profile/facts.hpp"

namespace camber::profile {

inline constexpr double sector_bytes = 32;
inline constexpr double wavefront_bytes = 128;  // L1 and shared memory bandwidth per cycle
inline constexpr int warp_threads = 32;

// Amounts of one launch. An amount is absent if one of its counters is missing.
struct Amounts {
    std::optional<double> dram_read_bytes;
    std::optional<double> dram_write_bytes;
    std::optional<double> l2_bytes;     // sectors read and written
    std::optional<double> l1_requests;  // warp requests to global and texture memory
    std::optional<double> l1_sectors;
    std::optional<double> shared_wavefronts;
    std::optional<double> bank_conflicts;  // extra wavefronts caused by conflicts
    std::optional<double> warp_instructions;
    std::optional<double> thread_instructions;
    std::optional<double> fp32_instructions;  // thread instructions; a fused multiply-add counts as
                                              // one
    std::optional<double> fp64_instructions;
    std::optional<double> spill_instructions;  // warp loads and stores of local memory

    std::optional<double> dram_bytes() const;
};

struct Ratios {
    std::optional<double> load_sectors_per_request;  // 4 if 32 lanes read 4 contiguous bytes each
    std::optional<double> store_sectors_per_request;
    std::optional<double> texture_sectors_per_request;
    std::optional<double> load_sector_use;  // requested share of the transferred bytes
    std::optional<double> store_sector_use;
    std::optional<double> l1_hits;  // share of sectors
    std::optional<double> l2_hits;
    std::optional<double> conflict_share;           // bank conflicts over wavefronts
    std::optional<double> threads_per_instruction;  // 32: no divergence
    std::optional<double> achieved_occupancy;       // 0 to 1
    std::optional<double> instructions_per_cell;    // thread instructions per cell and generation
    // DRAM traffic over the minimum bytes of the same generations: below 1 if caches or temporal
    // blocking save traffic, above 1 if traffic is wasted.
    std::optional<double> dram_over_application;
};

Amounts amounts(const Facts& facts);
Ratios ratios(const Facts& facts);

// Achieved rate of a device resource, and its ceiling.
struct Utilisation {
    Resource resource = Resource::dram;
    double rate = 0;     // per second
    double ceiling = 0;  // per second
    bool estimate = false;

    double share() const { return rate / ceiling; }
};

// DRAM bandwidth ceiling for this mix of reads and writes: linear in the share of writes between
// the measured bandwidths of reading only, copying (half and half) and writing only. If only
// copying was measured, the copy bandwidth.
std::optional<double> dram_ceiling(const Ceilings& ceilings, double read_bytes, double write_bytes);

// No case reaches this multiple of a ceiling: if counters say so, the counted launch did more work
// than the timed ones, for example because the lava covered fewer cells by then. Never true for
// estimates.
inline constexpr double impossible_share = 1.2;
bool is_impossible(const Utilisation& use);

// Utilization of every used resource whose counters and ceiling are available, largest share first.
// Rates are the amounts of one launch over its timed median. The duration measured by the profiler
// is not used: it replays and serializes kernels, and includes host time for short launches.
// Details:
//   DRAM           bytes read and written, against dram_ceiling()
//   L2             sectors of 32 bytes read and written
//   L1             sectors of 32 bytes of global and texture accesses, but at least one wavefront
//                  of 128 bytes per request: a request occupies the data path for a full cycle even
//                  if it needs less
//   shared memory  wavefronts of 128 bytes, including those of bank conflicts
//   issue slots    warp instructions, against one per cycle for each of an SM's 4 schedulers (since
//                  compute capability 7.0) at the SM clock
//   ALU pipe       an estimate: thread instructions in full warps times the share of integer,
//                  logic, shift and predicate instructions in the machine code, assuming that all
//                  are executed equally often; against the LOP3 rate
//   FP32, FP64     additions, multiplications and fused multiply-adds of threads, each counted as
//                  two operations like the fused multiply-adds of the ceiling
std::vector<Utilisation> utilisations(const Facts& facts);

// The resource with the largest share of its ceiling, per device, for a case timed on the GPU of
// `run`. Absent without counters, if the counters are of another stage, and for cases not timed on
// a GPU.
std::optional<Utilisation> binding_limit(const results::Run& run,
                                         const results::CaseRecord& record);

// Formats numbers for people.
std::string quantity(double amount);  // 1179648 -> "1.180 M"
std::string decimal(double number, int digits);

}  // namespace camber::profile
