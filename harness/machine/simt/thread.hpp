// State of the running CUDA thread and the executor's services for it: indices, call path,
// barriers, warp collectives, clusters, and counters that other launches raise. Kernel vocabulary
// calls these functions on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>

namespace camber::simt {

// The CUDA thread that is running on this CPU thread: what `threadIdx` and its kin read.
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

// Where a block is among those of its cluster, x fastest.
constexpr unsigned rank_in_cluster(const Index3& block, const Extent3& cluster) {
    if (cluster.count() == 1) return 0;
    return block.x % cluster.x +
           cluster.x * (block.y % cluster.y + cluster.y * (block.z % cluster.z));
}

// A site and the calls that led to it, by number: an index into a SiteTable.
using SiteId = std::uint32_t;
inline constexpr SiteId no_site = ~SiteId{0};

// The part of a thread's state that kernels and accessors read; the executor holds the rest.
struct ThreadContext {
    Index3 thread;
    Index3 block;
    Extent3 block_size;
    Extent3 grid_size;
    bool recording = false;
    SiteId path = no_site;          // the calls that are open (CallPath); only while recording
    std::uint64_t turn = 0;         // the iterations that are open (Turn); 0: none
    std::uint32_t rounds = 0;       // by count_round(); only while recording
    std::uint64_t block_epoch = 0;  // differs for every block that a CPU thread runs
};

inline constinit thread_local ThreadContext* current = nullptr;

// Where fibres meet: the grid's barrier, the cluster's, the block's, and the collectives of a warp.
enum class WarpOperation : std::uint8_t { synchronize, shuffle, ballot };

// Waits until every thread of the block has come here.
void block_barrier(const std::source_location& site);

// Waits until every thread of a cooperative launch has come here.
void grid_barrier(const std::source_location& site);

// Waits until every thread of the cluster has come here.
void cluster_barrier(const std::source_location& site);

// Waits until every lane in `mask` has come here, then gives each its result:
// shuffle: the `value` of lane `source_lane`; ballot: bit l is set where lane l's `value` is not 0.
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

// Sites as the executor knows them while it records: small numbers.

// The running thread's call path extended by `site`.
SiteId path_through(const std::source_location& site);

// Counts a visit of the running thread to `site` without an access.
void skip_visit(const std::source_location& site);

// What tells the next iteration of a loop from others; the loop's site is the running thread's call
// path, and the iterations of the turn that is open are counted.
std::uint64_t next_turn();

// The cluster of the running block, for the words of harness/machine/kernel/cluster.hpp.
unsigned cluster_rank();
unsigned cluster_size();

// Where the block of that rank has its copy of a `__shared__` variable, which is known by its
// address. Faults where the cluster has no such block.
void* shared_of_block(const void* variable, unsigned rank, std::size_t size,
                      const std::source_location& site);

// Where the block of that rank has what lies at `own` in the running block's shared memory.
void* shared_of_block(const void* own, unsigned rank, const std::source_location& site);

// The running thread touches the shared memory of the block of that rank: faults where no cluster
// barrier has told it that the block has begun, and later where none tells the block that it may
// end.
void touch_shared_of_block(unsigned rank, const std::source_location& site);

// Counts by which blocks of several launches wait for each other, as the recorder is told of them.

// Returns once the count is `least` or more: blocks of a cooperative launch stop until then. Throws
// std::logic_error in another launch, which nothing can go on beside.
void wait_until_counted(const std::uint32_t* count, std::uint32_t least);

// The running block has waited until `counter` came to `number`; it has counted it up to that.
void report_wait(const void* counter, std::uint32_t number);
void report_count(const void* counter, std::uint32_t number);

}  // namespace camber::simt
