// State of the running CUDA thread and the executor's services for it: indices, call path,
// barriers, warp collectives, clusters, and counters that other launches increment. The host
// versions of kernel functions call these functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>

namespace camber::simt {

// Index of a CUDA thread or block; `current` is the thread that runs on this CPU thread, read by
// `threadIdx` and the like.
struct Index3 {
    unsigned x = 0;
    unsigned y = 0;
    unsigned z = 0;
    friend bool operator==(const Index3&, const Index3&) = default;
};

struct Extent3 {
    unsigned x = 1;
    unsigned y = 1;
    unsigned z = 1;
    constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

// Rank of a block in its cluster, x fastest.
constexpr unsigned rank_in_cluster(const Index3& block, const Extent3& cluster) {
    if (cluster.count() == 1) return 0;
    return block.x % cluster.x +
           cluster.x * (block.y % cluster.y + cluster.y * (block.z % cluster.z));
}

// Number of a site (a source location and its call path): an index into a SiteTable.
using SiteId = std::uint32_t;
inline constexpr SiteId no_site = ~SiteId{0};

// Part of a thread's state that kernels and accessors read; the executor stores the rest.
struct ThreadContext {
    Index3 thread;
    Index3 block;
    Extent3 block_size;
    Extent3 grid_size;
    bool recording = false;
    SiteId path = no_site;          // current call path (CallPath); only while recording
    std::uint64_t turn = 0;         // current loop iterations (Turn); 0: none
    std::uint32_t rounds = 0;       // counted by count_round(); only while recording
    std::uint64_t block_epoch = 0;  // unique for every block that a CPU thread runs
};

// The program defines it, so that the libraries that it loads can read it without a function call.
__attribute__((tls_model("initial-exec"))) inline constinit thread_local ThreadContext* current =
    nullptr;

// Points where threads meet: barriers of the grid, the cluster and the block, and warp collectives.
enum class WarpOperation : std::uint8_t { synchronize, shuffle, ballot };

// Waits until every thread of the block has arrived.
void block_barrier(const std::source_location& site);

// Waits until every thread of a cooperative launch has arrived.
void grid_barrier(const std::source_location& site);

// Waits until every thread of the cluster has arrived.
void cluster_barrier(const std::source_location& site);

// Waits until every lane in `mask` has arrived, then returns each lane's result: shuffle: the
// `value` of lane `source_lane`; ballot: bit l is set if lane l's `value` is not 0.
std::uint64_t warp_exchange(WarpOperation operation, unsigned mask, std::uint64_t value,
                            int source_lane, const std::source_location& site);

// Mask of the lanes that exist in the running thread's warp.
unsigned existing_lanes();

// Lane of the running thread in its warp: linear thread index modulo 32.
inline int lane() {
    const Index3& t = current->thread;
    const Extent3& n = current->block_size;
    return static_cast<int>((t.x + n.x * (t.y + n.y * t.z)) % 32);
}

// Call sites as small numbers, for recording

// The running thread's call path extended by `site`.
SiteId path_through(const std::source_location& site);

// Counts a visit of the running thread to `site` without an access.
void skip_visit(const std::source_location& site);

// Identifies the next iteration of a loop. The loop's site is the running thread's call path;
// iterations are counted within the current turn.
std::uint64_t next_turn();

// Cluster of the running block, for harness/machine/kernel/cluster.hpp.
unsigned cluster_rank();
unsigned cluster_size();

// Address of the copy that the cluster's block `rank` has of a `__shared__` variable; `variable`
// identifies the variable. Faults if the cluster has no such block.
void* shared_of_block(const void* variable, unsigned rank, std::size_t size,
                      const std::source_location& site);

// Address in block `rank` that corresponds to `own` in the running block's shared memory.
void* shared_of_block(const void* own, unsigned rank, const std::source_location& site);

// Reports that the running thread accesses the shared memory of block `rank`: faults if no cluster
// barrier has ensured that the block has started, and later if none ensures that it has not ended.
void touch_shared_of_block(unsigned rank, const std::source_location& site);

// Counters by which blocks of several launches wait for each other

// Returns once the count is at least `least`: blocks of a cooperative launch are suspended until
// then. Throws std::logic_error in other launches, which run alone.
void wait_until_counted(const std::uint32_t* count, std::uint32_t least);

// Report to the recorder that the running block has waited until `counter` reached `number`, or has
// incremented it to `number`.
void report_wait(const void* counter, std::uint32_t number);
void report_count(const void* counter, std::uint32_t number);

}  // namespace camber::simt
