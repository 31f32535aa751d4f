// Kernels that each reach one ceiling of the device. All functions enqueue on the target's stream;
// if they return a number, it is the enqueued amount of work.
#pragma once

#include <cstddef>
#include <cstdint>

namespace camber::cuda {

struct CeilingTarget {
    void* stream = nullptr;  // a cudaStream_t
    int sm_count = 0;
    // Memory of sink_bytes() bytes for results, so that the compiler does not remove work.
    void* sink = nullptr;
};

std::size_t sink_bytes(int sm_count);

// Sets the 32-bit words of a region to noise_word(0), noise_word(1), ..., each the bit pattern of a
// float in [1, 2).
void enqueue_noise(const CeilingTarget& target, void* memory, std::size_t bytes);
std::uint32_t noise_word(std::uint32_t index);

// Traffic over a working set. It is divided into as many arrays of equal length as the kind has:
// copy (from, to), read, write, triad (to, left, right; to = left + triad_factor * right).
enum class Traffic { copy, read, write, triad };

constexpr float triad_factor = 0.75f;

// Bytes of each array of a working set of `bytes`: a little under an even share.
std::size_t array_bytes(Traffic kind, std::size_t bytes);

// Passes `passes` times over the working set, bypassing L1. Returns bytes read plus bytes written.
// For `read`, the sink's words together contain the exclusive or of all words over all passes.
double enqueue_traffic(const CeilingTarget& target, Traffic kind, void* memory, std::size_t bytes,
                       unsigned passes);

// Copies the first descended_bytes(bytes) of a region to the memory behind them, by blocks that
// descend through 128 rows of 64 KiB and copy 4 KiB of each row. Returns bytes read plus bytes
// written.
constexpr unsigned descended_rows = 128;
std::size_t descended_bytes(std::size_t bytes);  // 0 if a region has less than two bands of rows
double enqueue_descents(const CeilingTarget& target, void* memory, std::size_t bytes,
                        unsigned repeats);

// Reads the first copied_in_pieces(bytes) of a region, or copies them to the memory behind them,
// with blocks of 256 threads and 8-byte loads: a block has a piece of each of several rows of 64
// KiB. The number of resident blocks per SM is limited as requested. Returns bytes read plus bytes
// written.
constexpr unsigned most_pieces = 32;
struct Pieces {
    unsigned of_block = 8;  // or most_pieces
    unsigned places = 1;
};
std::size_t copied_in_pieces(std::size_t bytes);  // 0 if a region is too small
double enqueue_pieces(const CeilingTarget& target, bool copies, void* memory, std::size_t bytes,
                      const Pieces& pieces, unsigned repeats);

// Every SM reads its shared memory, or l1_set_bytes of global memory that stay in its L1, with 16
// bytes per thread and without bank conflicts. Both return the bytes read.
constexpr std::size_t l1_set_bytes = 20480;
double enqueue_shared_reads(const CeilingTarget& target, unsigned iterations);
double enqueue_l1_reads(const CeilingTarget& target, const void* set, unsigned iterations);

enum class Arithmetic { fp32_fma, fp64_fma, int32_add, lop3 };

// Returns the number of operations: two for a floating-point FMA, otherwise one per lane.
double enqueue_arithmetic(const CeilingTarget& target, Arithmetic kind, unsigned iterations);

void enqueue_empty_kernel(const CeilingTarget& target);

// A dependency chain followed by a single thread: loads from global memory, through L1 or bypassing
// it, loads from shared memory, or integer multiply-adds. The first two need a chain in memory,
// initialized by enqueue_chain() with a link per 128 bytes; `bytes` is 128 * 2^n.
enum class Chain { through_l1, past_l1, shared, arithmetic };
void enqueue_chain(const CeilingTarget& target, void* memory, std::size_t bytes);
// Starts `followed` links after the beginning of the chain. The first two kinds use `memory`,
// `bytes` and `followed`. Returns the number of links followed.
double enqueue_links(const CeilingTarget& target, Chain kind, const void* memory, std::size_t bytes,
                     std::uint64_t followed, unsigned loops);
// Follows the chain Chain::past_l1 with 8 lanes of a warp at distant addresses: a link takes until
// the last of 8 requests is answered, the number of lines of which 256 threads read one word each.
// Returns the number of links that each lane has followed.
double enqueue_links_of_lanes(const CeilingTarget& target, const void* memory, std::size_t bytes,
                              std::uint64_t followed, unsigned loops);
// The chain Chain::past_l1 with a link per 512 bytes, which a warp loads at once: every word
// contains the next link. `bytes` is 512 * 2^n. enqueue_rows() returns the number of links
// followed.
void enqueue_chain_of_rows(const CeilingTarget& target, void* memory, std::size_t bytes);
double enqueue_rows(const CeilingTarget& target, const void* memory, std::size_t bytes,
                    std::uint64_t followed, unsigned loops);

// Number of loops that fit into a chain from enqueue_chain(): loops of enqueue_links() that visit
// each link once, or of enqueue_links_of_lanes() in which no lane repeats another lane's link.
unsigned loops_through(std::size_t bytes);
unsigned loops_of_lanes_through(std::size_t bytes);

// Barriers of a cluster of two blocks of 256 threads, if the current device supports clusters.
// Returns their number.
bool has_clusters();
double enqueue_cluster_barriers(const CeilingTarget& target, unsigned loops);
// The chain Chain::shared in the shared memory of the cluster's other block. Returns the number of
// links followed.
double enqueue_distributed_links(const CeilingTarget& target, unsigned loops);

// Blocks of 256 threads that store one word each, in a set of 2^n words: `waves` times the number
// of blocks that the device runs at once. Returns `waves`.
double enqueue_turnovers(const CeilingTarget& target, void* memory, std::size_t bytes,
                         unsigned waves);

// Warps read lines of 128 bytes that stay in L1, one word per lane. Returns the number of requests.
double enqueue_l1_requests(const CeilingTarget& target, const void* set, unsigned loops);
// Lanes read a word each, bypassing L1, from separate lines of 128 bytes among `bytes` = 128 * 2^n,
// which stay in L2; or store a sector in each. Both return the number of requests that reach L2.
double enqueue_l2_requests(const CeilingTarget& target, const void* set, std::size_t bytes,
                           unsigned loops);
double enqueue_l2_stores(const CeilingTarget& target, void* set, std::size_t bytes, unsigned loops);
// Warps read constants at addresses that the compiler does not know, the same for all lanes.
// Returns the number of loads.
double enqueue_constant_loads(const CeilingTarget& target, unsigned loops);
// Reads the 8 KiB of enqueue_l1_requests() as a texture: a line of elements, or a board 32 wide.
// Waits for completion and returns the number of texels fetched.
double enqueue_fetches(const CeilingTarget& target, const void* set, bool linear, unsigned loops);
// Atomic additions, each lane to its own word: in shared memory without conflicts, or in 2^n
// adjacent words of global memory. Both return the number of additions.
double enqueue_shared_atomics(const CeilingTarget& target, unsigned loops);
double enqueue_global_atomics(const CeilingTarget& target, void* memory, std::size_t bytes,
                              unsigned loops);

// A graph of empty kernels, each depending on the previous one.
class EmptyKernelGraph {
  public:
    EmptyKernelGraph(const CeilingTarget& target, int nodes);
    ~EmptyKernelGraph();
    EmptyKernelGraph(const EmptyKernelGraph&) = delete;
    EmptyKernelGraph& operator=(const EmptyKernelGraph&) = delete;

    void enqueue() const;

  private:
    void* stream_;
    void* executable_ = nullptr;  // a cudaGraphExec_t
};

}  // namespace camber::cuda
