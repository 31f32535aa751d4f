// What follows from counters: amounts per launch, ratios. A figure whose counters are missing is
// absent.
#pragma once

#include <optional>

#include "analysis/profile/facts.hpp"

namespace camber::profile {

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

}  // namespace camber::profile
