// Figures that follow from counters: amounts per launch, ratios, and the share of each device
// ceiling that a case reaches. Also formats such numbers for people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/bounds.hpp"
#include "analysis/profile/facts.hpp"

namespace camber::profile {

// What follows from counters: amounts per launch, ratios. A figure whose counters are missing is
// absent.
inline constexpr double sector_bytes = 32;
inline constexpr double wavefront_bytes = 128;  // what L1 and shared memory deliver per cycle
inline constexpr int warp_threads = 32;

// Amounts of one launch.
struct Amounts {
    std::optional<double> dram_read_bytes;
    std::optional<double> dram_write_bytes;
    std::optional<double> l2_bytes;     // sectors read and written
    std::optional<double> l1_requests;  // of warps, to global memory and texture
    std::optional<double> l1_sectors;
    std::optional<double> shared_wavefronts;
    std::optional<double> bank_conflicts;  // the wavefronts that only conflicts caused
    std::optional<double> warp_instructions;
    std::optional<double> thread_instructions;
    std::optional<double> fp32_instructions;  // of threads; a fused multiply-add counts one
    std::optional<double> fp64_instructions;
    std::optional<double> spill_instructions;  // loads and stores of local memory, of warps

    std::optional<double> dram_bytes() const;
};

struct Ratios {
    std::optional<double> load_sectors_per_request;  // 4 where 32 lanes read 4 bytes side by side
    std::optional<double> store_sectors_per_request;
    std::optional<double> texture_sectors_per_request;
    std::optional<double> load_sector_use;  // the share of a sector's bytes that lanes asked for
    std::optional<double> store_sector_use;
    std::optional<double> l1_hits;  // share of sectors
    std::optional<double> l2_hits;
    std::optional<double> conflict_share;           // bank conflicts over wavefronts
    std::optional<double> threads_per_instruction;  // 32: no divergence
    std::optional<double> achieved_occupancy;       // 0 to 1
    std::optional<double> instructions_per_cell;    // of threads, per cell and generation
    // DRAM traffic over the bytes that the same generations must move: below 1 caches or several
    // generations per launch save, above 1 traffic is wasted.
    std::optional<double> dram_over_application;
};

Amounts amounts(const Facts& facts);
Ratios ratios(const Facts& facts);

// How near a case comes to each of the device's limits.
struct Utilisation {
    Resource resource = Resource::dram;
    double rate = 0;     // per second
    double ceiling = 0;  // per second
    bool estimate = false;

    double share() const { return rate / ceiling; }
};

// The highest DRAM bandwidth for this mixture of reads and writes: between the measured ones of
// reading only, copying (half and half) and writing only, linearly in the share of writes. Where
// only the copy was measured, that.
std::optional<double> dram_ceiling(const Ceilings& ceilings, double read_bytes, double write_bytes);

// No device gives so much of a ceiling: counters that say so are of a launch that did more than
// those that were timed, as where lava covers fewer cells by then. Estimates tell nothing of it.
inline constexpr double impossible_share = 1.2;
bool is_impossible(const Utilisation& use);

// Every resource whose counters and ceiling are known and that was used at all, largest share
// first. Rates are amounts of one launch over its timed median: the counters' own time, in which
// kernels are replayed and serialised, and which for short launches includes the host's, is not
// used. In detail:
//   DRAM           bytes read and written, against dram_ceiling()
//   L2             sectors of 32 bytes read and written
//   L1             sectors of 32 bytes of global and texture accesses, but at least one wavefront
//                  of 128 bytes per request: a request occupies the data path for a cycle even if
//                  it needs less
//   shared memory  wavefronts of 128 bytes, those of bank conflicts included
//   issue slots    warp instructions, against one per cycle of each of an SM's 4 schedulers (from
//                  compute capability 7.0 on) at the SM clock
//   ALU pipe       an estimate: thread instructions in full warps times the share of integer,
//                  logic, shift and predicate instructions in the program text, which presumes
//                  that all are executed equally often; against the LOP3 rate
//   FP32, FP64     additions, multiplications and fused multiply-adds of threads, each counted as
//                  the two operations that the ceiling counts for a fused multiply-add
std::vector<Utilisation> utilisations(const Facts& facts);

// Of a case that was timed on the GPU of `run`: the resource that it uses most of what the device
// can give, on one device. Nothing without counters, with those of another stage, and for cases
// that were not timed on a GPU.
std::optional<Utilisation> binding_limit(const results::Run& run,
                                         const results::CaseRecord& record);

// Numbers as a person reads them.
std::string quantity(double amount);  // 1179648 -> "1.180 M"
std::string decimal(double number, int digits);

}  // namespace camber::profile
