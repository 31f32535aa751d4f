// Global-memory rules: from one instruction of one warp to the memory transactions it causes.
//
// Source: CUDA C Programming Guide, compute-capability appendix, of the editions that cover each
// generation. For 7.0 and later the counts are those of the hardware counters
// l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum and l1tex__t_sectors_... (and _st); an H200 reads
// exactly these for the Life kernels.
//
// Counted is what goes to the first level of memory. No instruction sees what another one brought
// into a cache; launch_model.hpp bounds that.
//
// Spaces and operations:
// - Global loads and stores: as each generation's rule says.
// - Texture loads: one request per instruction and its distinct 32-byte sectors, under every rule
//   set (the texture cache's line on 1.x, its sector later). The split of a fetch into quads and
//   the two-dimensional layout of CUDA arrays are not modeled: addresses are those of linear
//   memory.
// - Local memory: as global memory. The addresses must be the interleaved ones, where equal words
// of
//   neighboring lanes are neighbors.
// - Atomics: as stores. On 5.x and later these are the L1-to-L2 sector requests. Not modeled: that
//   lanes which update one address are served one after another, the rate of L2's atomic units, and
//   the answer that comes back if the old value is used.
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

// An aligned piece of memory that moves as one.
struct Transaction {
    std::int64_t base = 0;
    int size = 0;  // 32, 64 or 128 bytes
    bool operator==(const Transaction&) const = default;
};

struct TransactionCounts {
    // Parts that the rule serves separately and that have an active lane: half-warps on 1.x; on 2.x
    // and 3.x the warp for up to 4 bytes a lane, half-warps for 8, quarter-warps for 16; the warp
    // on 5.x and later.
    std::int64_t requests = 0;
    std::int64_t transactions_32 = 0;
    std::int64_t transactions_64 = 0;
    std::int64_t transactions_128 = 0;
    std::int64_t lines = 0;         // distinct 128-byte lines that a request touches, summed
    std::int64_t sectors = 0;       // distinct 32-byte sectors that a request touches, summed
    std::int64_t bytes_moved = 0;   // sum of the transactions' sizes
    std::int64_t useful_bytes = 0;  // distinct bytes that the warp's active lanes touch

    std::int64_t transactions() const {
        return transactions_32 + transactions_64 + transactions_128;
    }
    // useful_bytes / bytes_moved; 1 when nothing moves.
    double efficiency() const;

    TransactionCounts& operator+=(const TransactionCounts& other);
    bool operator==(const TransactionCounts&) const = default;
};

// Refuses what no instruction can be: a size other than 1, 2, 4, 8 or 16 bytes, or an active lane's
// address that is not a multiple of the size. Throws std::invalid_argument.
void check_request(const WarpRequest& request);

// The transactions in the order in which the rule emits them: parts in lane order; inside a part,
// on 1.x in the order of the lowest lane served, later by ascending address. Throws
// std::invalid_argument for a shared-memory request and for what check_request() refuses.
std::vector<Transaction> transactions(const WarpRequest& request, RuleSet rules);

// The same as counts, without making the list. `whole` is Footprint(request, ~0u), which callers
// that need it for other ends pass on. Does not check the request.
TransactionCounts count_transactions(const WarpRequest& request, const Footprint& whole,
                                     RuleSet rules);
TransactionCounts count_transactions(const WarpRequest& request, RuleSet rules);

}  // namespace camber
