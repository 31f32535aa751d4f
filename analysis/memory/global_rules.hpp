// Global-memory rules: memory transactions caused by one instruction of one warp.
//
// Source: CUDA C Programming Guide, compute-capability appendix, of the editions that cover each
// generation. For 7.0 and later the counts are those of the hardware counters
// l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum and l1tex__t_sectors_... (and _st); an H200 reads
// exactly these for the Life kernels.
//
// Counts requests to the first level of memory. Caching between instructions is not considered
// here; launch_model.hpp bounds it.
//
// Spaces and operations:
// - Global loads and stores: as each generation's rule says.
// - Texture loads: one request per instruction and its distinct 32-byte sectors, under every rule
//   set (the texture cache's line on 1.x, its sector later). The split of a fetch into quads and
//   the two-dimensional layout of CUDA arrays are not modeled: addresses are those of linear
//   memory.
// - Local memory: as global memory. The addresses must be interleaved, so that equal words of
//   adjacent lanes are adjacent.
// - Atomics: as stores. On 5.x and later these are the L1-to-L2 sector requests. Not modeled: the
//   serialization of lanes that update one address, the rate of L2's atomic units, and the returned
//   value if it is used.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/memory/architecture.hpp"
#include "analysis/memory/footprint.hpp"
#include "harness/base/kernel_launch.hpp"

namespace camber {

inline constexpr std::uint32_t half_warp = 0xffff;  // its lanes

inline constexpr int sector_bytes = 32;
inline constexpr int line_bytes = 128;
inline constexpr int sector_shift = 5;
inline constexpr int line_shift = 7;

// An aligned piece of memory that is transferred as a unit.
struct Transaction {
    std::int64_t base = 0;
    int size = 0;  // 32, 64 or 128 bytes
    bool operator==(const Transaction&) const = default;
};

struct TransactionCounts {
    // Parts that the rule serves separately and that have an active lane: half-warps on 1.x; on 2.x
    // and 3.x the warp for up to 4 bytes per lane, half-warps for 8, quarter-warps for 16; the warp
    // on 5.x and later.
    std::int64_t requests = 0;
    std::int64_t transactions_32 = 0;
    std::int64_t transactions_64 = 0;
    std::int64_t transactions_128 = 0;
    std::int64_t lines = 0;         // distinct 128-byte lines per request, summed
    std::int64_t sectors = 0;       // distinct 32-byte sectors per request, summed
    std::int64_t bytes_moved = 0;   // sum of the transactions' sizes
    std::int64_t useful_bytes = 0;  // distinct bytes that the warp's active lanes touch

    std::int64_t transactions() const {
        return transactions_32 + transactions_64 + transactions_128;
    }
    // useful_bytes / bytes_moved; 1 if no bytes are moved.
    double efficiency() const;

    TransactionCounts& operator+=(const TransactionCounts& other);
    bool operator==(const TransactionCounts&) const = default;
};

// Throws std::invalid_argument for impossible requests: a size other than 1, 2, 4, 8 or 16 bytes,
// or an active lane whose address is not a multiple of the size.
void check_request(const WarpRequest& request);

// Transactions in the order of the rule: parts in lane order; within a part, on 1.x in the order of
// the lowest lane served, later by ascending address. Throws std::invalid_argument for a
// shared-memory request and for requests that check_request() rejects.
std::vector<Transaction> transactions(const WarpRequest& request, RuleSet rules);

// Counts the transactions without listing them. `whole` is Footprint(request, ~0u), which callers
// may also use otherwise. Does not check the request.
TransactionCounts count_transactions(const WarpRequest& request, const Footprint& whole,
                                     RuleSet rules);
TransactionCounts count_transactions(const WarpRequest& request, RuleSet rules);

}  // namespace camber
