// Memory requests of one kernel launch under one rule set: sums over the memory instructions of all
// warps, per call site and in total.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/memory/architecture.hpp"
#include "analysis/memory/distinct_sectors.hpp"
#include "analysis/memory/global_rules.hpp"
#include "analysis/memory/shared_rules.hpp"
#include "harness/base/kernel_launch.hpp"

namespace camber {

// Accesses of one kind to global, texture or local memory.
struct TransferCounts : TransactionCounts {
    std::int64_t instructions = 0;     // warp instructions with an active lane
    std::int64_t requested_bytes = 0;  // active lanes times size
    // Global loads: passes over L1's banks, which L1 shares with shared memory.
    std::int64_t bank_passes = 0;

    double sectors_per_request() const;  // 0 without requests
    TransferCounts& operator+=(const TransferCounts& other);
    bool operator==(const TransferCounts&) const = default;
};

// Accesses of one kind to shared memory.
struct SharedCounts : BankCounts {
    std::int64_t instructions = 0;

    SharedCounts& operator+=(const SharedCounts& other);
    bool operator==(const SharedCounts&) const = default;
};

// Load counter of compute capability 1.x as published (Balasalle 2011, chapter 5): half-warps that
// load from global memory, `uncoalesced` if a single lane is active and `coalesced` if several
// are, regardless of their addresses. It is no coalescing rule, but it reproduces the published
// tables.
struct PublishedLoads {
    std::int64_t coalesced = 0;
    std::int64_t uncoalesced = 0;
    bool operator==(const PublishedLoads&) const = default;
};

struct AccessCounts {
    TransferCounts global_load;
    TransferCounts global_store;
    TransferCounts global_atomic;
    TransferCounts texture_load;
    TransferCounts bulk_load;  // bulk copies into shared memory
    TransferCounts local_load;
    TransferCounts local_store;
    SharedCounts shared_load;
    SharedCounts shared_store;
    SharedCounts shared_atomic;
    // Accesses to other blocks' shared memory in a cluster, through the network between SMs. They
    // are separate from shared wavefronts, because no known counter includes them there.
    SharedCounts distributed_load;
    SharedCounts distributed_store;
    SharedCounts distributed_atomic;
    SharedCounts constant_load;  // a pass serves all lanes that read one address
    PublishedLoads published;

    std::int64_t instructions() const;  // all of the above
    AccessCounts& operator+=(const AccessCounts& other);
    bool operator==(const AccessCounts&) const = default;
};

struct SiteCounts {
    int site = 0;
    AccessCounts counts;
    bool operator==(const SiteCounts&) const = default;
};

struct LaunchModel {
    RuleSet rules = RuleSet::cc50;
    std::int64_t blocks = 0;  // blocks with an access
    AccessCounts counts;
    std::vector<SiteCounts> sites;  // sites with an access, in ascending order

    // Distinct bytes and sectors of global memory. Reads: global and texture loads, atomics.
    // Writes: global stores, atomics. Local memory is excluded.
    DistinctCounts reads;
    DistinctCounts writes;
    std::int64_t distinct_sectors = 0;  // of the launch, read or written
    // Cluster barriers that a block passes before its last access: the maximum over all blocks.
    std::uint32_t cluster_barriers = 0;
    // Iterations of loops without accesses before a warp's last access, summed over all warps.
    std::int64_t rounds = 0;

    // Minimum DRAM traffic of a cold launch regardless of caching, in whole sectors.
    std::int64_t compulsory_bytes() const;
    // Traffic between L1 and L2 if each block finds in L1 exactly what it has touched before.
    std::int64_t block_bytes() const;
    // Non-redundant share of the reads: distinct bytes that the launch reads / bytes that its
    // threads request, by global and texture loads and atomics. 1 if no byte is requested twice,
    // and for a launch without reads. (Topa and Mlocek 2013 print the same measure in transactions:
    // 29 % of the water-flow kernel's loads are the first for their cells.)
    double non_redundant_share() const;

    bool operator==(const LaunchModel&) const = default;
};

// Builds a LaunchModel from a launch's instructions:
//     LaunchAccumulator accumulator(rules);
//     for (each block) for (each instruction of its warps) accumulator.add(site, request, block);
//     const LaunchModel model = accumulator.finish();
class LaunchAccumulator {
  public:
    explicit LaunchAccumulator(RuleSet rules) : rules_(rules) {}

    // `site`: a small nonnegative number (memory use is proportional to the largest). All requests
    // of a block must precede those of the next one; the order of blocks is arbitrary. Requests
    // without active lanes are ignored. `part`: part of the grid that contains the block. Throws
    // std::invalid_argument for a negative site, for a size other than 1, 2, 4, 8 or 16 bytes, and
    // for stores and atomics on textures. Addresses must be multiples of the size.
    void add(int site, const WarpRequest& request, std::int64_t block, int part = 0);

    // Model of all requests added so far, or of those of one of the boards.
    LaunchModel finish(int board = whole_grid) const;
    const DistinctSectors& distinct() const { return distinct_; }

  private:
    struct Part {
        std::vector<AccessCounts> sites;  // by site
        std::int64_t blocks = 0;
        std::uint32_t cluster_barriers = 0;
        std::int64_t rounds = 0;
    };

    AccessCounts& counts_of(int site);
    void add_rounds(const WarpRequest& request);

    RuleSet rules_;
    std::array<Part, grid_parts> parts_;
    DistinctSectors distinct_;
    std::optional<std::int64_t> block_;
    int part_ = 0;                                // of the current block
    std::vector<std::uint32_t> rounds_of_block_;  // by warp
};

}  // namespace camber
