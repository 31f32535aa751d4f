// Kernels that each reach one ceiling of the device. All functions enqueue on the target's stream;
// if they return a number, it is the enqueued amount of work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace camber::cuda {

struct CeilingTarget {
    void* stream = nullptr;  // a cudaStream_t
    int sm_count = 0;
    void* sink = nullptr;  // sink_bytes(); takes what keeps the compiler from dropping work
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

// Goes `passes` times through the working set, past L1. Returns bytes read plus bytes written.
// `read` leaves the exclusive or of all words, passes counted, spread over the sink's words.
double enqueue_traffic(const CeilingTarget& target, Traffic kind, void* memory, std::size_t bytes,
                       unsigned passes);

// Copies the first descended_bytes(bytes) of a region to behind them, by blocks that go down 128
// rows of 64 KiB each and have 4 KiB of a row at a time. Returns bytes read plus bytes written.
constexpr unsigned descended_rows = 128;
std::size_t descended_bytes(std::size_t bytes);  // 0 where a region has less than two bands of rows
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
std::size_t copied_in_pieces(std::size_t bytes);  // 0 where a region is too small
double enqueue_pieces(const CeilingTarget& target, bool copies, void* memory, std::size_t bytes,
                      const Pieces& pieces, unsigned repeats);

// Every SM reads its shared memory, or l1_set_bytes of global memory that stay in its L1, 16 bytes
// per thread and free of bank conflicts. Both return the bytes read.
constexpr std::size_t l1_set_bytes = 20480;
double enqueue_shared_reads(const CeilingTarget& target, unsigned iterations);
double enqueue_l1_reads(const CeilingTarget& target, const void* set, unsigned iterations);

enum class Arithmetic { fp32_fma, fp64_fma, int32_add, int32_multiply_add, lop3 };

// Returns the operations done: a floating-point FMA counts two, the others one per lane.
double enqueue_arithmetic(const CeilingTarget& target, Arithmetic kind, unsigned iterations);

void enqueue_empty_kernel(const CeilingTarget& target);

// A chain of which each link needs the one before, followed by a single thread: in global memory,
// through L1 or past it, in shared memory, or of integer multiply-adds. The first two need a chain
// in memory, laid by enqueue_chain() with a link per 128 bytes; `bytes` is 128 * 2^n.
enum class Chain { through_l1, past_l1, shared, arithmetic };
void enqueue_chain(const CeilingTarget& target, void* memory, std::size_t bytes);
// Begins where `followed` links from the chain's start lead to. `memory`, `bytes` and `followed`
// count for the first two. Returns the links followed.
double enqueue_links(const CeilingTarget& target, Chain kind, const void* memory, std::size_t bytes,
                     std::uint64_t followed, unsigned loops);
// Follows the chain Chain::past_l1 by 8 lanes of a warp at distant addresses: a link takes until
// the last of 8 requests is answered, as many as the lines of which 256 threads read a word each.
// Returns the number of links that each lane has followed.
double enqueue_links_of_lanes(const CeilingTarget& target, const void* memory, std::size_t bytes,
                              std::uint64_t followed, unsigned loops);
// The chain Chain::past_l1 with a link per 512 bytes, all of which a warp loads at once: every word
// has the next link. `bytes` is 512 * 2^n. The second returns the links followed.
void enqueue_chain_of_rows(const CeilingTarget& target, void* memory, std::size_t bytes);
double enqueue_rows(const CeilingTarget& target, const void* memory, std::size_t bytes,
                    std::uint64_t followed, unsigned loops);

// Number of loops that fit into a chain from enqueue_chain(): loops of enqueue_links() that visit
// each link once, or of enqueue_links_of_lanes() in which no lane repeats another lane's link.
unsigned loops_through(std::size_t bytes);
unsigned loops_of_lanes_through(std::size_t bytes);

// One warp on each SM runs a loop of the given size, one of loop_lengths(), of independent
// instructions. Returns the executed bytes of code.
std::span<const std::size_t> loop_lengths();
double enqueue_long_loop(const CeilingTarget& target, std::size_t bytes, unsigned loops);

// Barriers of one block of 256 threads. Returns how many.
double enqueue_barriers(const CeilingTarget& target, unsigned loops);
// Barriers of a cluster of two such blocks, on a device in use that has clusters. Returns how many.
bool has_clusters();
double enqueue_cluster_barriers(const CeilingTarget& target, unsigned loops);
// The chain Chain::shared in the shared memory of the other block of such a cluster. Returns the
// links followed.
double enqueue_distributed_links(const CeilingTarget& target, unsigned loops);
// Share of the device's block slots, two per SM, that clusters of `blocks` blocks
// fill.
double share_of_places(const CeilingTarget& target, unsigned blocks);

// Blocks of 256 threads which store a word each, in a set of 2^n words: as many as the device runs
// at once, `waves` times over. Returns `waves`.
double enqueue_turnovers(const CeilingTarget& target, void* memory, std::size_t bytes,
                         unsigned waves);

// Warps read lines of 128 bytes that stay in L1, a word per lane. Returns the requests.
double enqueue_l1_requests(const CeilingTarget& target, const void* set, unsigned loops);
// Lanes read a word each, past L1, in lines of 128 bytes of their own among `bytes` = 128 * 2^n,
// which stay in L2; or store a sector in each. Both return the requests that reach L2.
double enqueue_l2_requests(const CeilingTarget& target, const void* set, std::size_t bytes,
                           unsigned loops);
double enqueue_l2_stores(const CeilingTarget& target, void* set, std::size_t bytes, unsigned loops);
// Warps read constants at addresses that the compiler does not know, one for all lanes. Returns the
// loads.
double enqueue_constant_loads(const CeilingTarget& target, unsigned loops);
// The 8 KiB of enqueue_l1_requests() as a texture, a line of elements or a board 32 wide. Returns
// the texels fetched, once they are.
double enqueue_fetches(const CeilingTarget& target, const void* set, bool linear, unsigned loops);
// Additions of lanes, each to a word of its own: in shared memory without conflicts, or in 2^n
// words of global memory side by side. Both return the additions.
double enqueue_shared_atomics(const CeilingTarget& target, unsigned loops);
double enqueue_global_atomics(const CeilingTarget& target, void* memory, std::size_t bytes,
                              unsigned loops);

// A graph of empty kernels, each after the one before.
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
