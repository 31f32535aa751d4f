// The CUDA thread that is running on this CPU thread: what `threadIdx` and its kin read.
#pragma once

#include <cstdint>

namespace camber::simt {

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

}  // namespace camber::simt
