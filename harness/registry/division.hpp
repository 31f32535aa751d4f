// How a variant's board is divided among the places of a group, and how they keep each other's
// edges current. Rustico 2012, chapters 4 and 6.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/queue/queue.hpp"

namespace camber {

class Communicator;

// Which way a place's edge rows go to its neighbours.
enum class ExchangePath : std::uint8_t {
    everything,  // the whole board through the host after every exchange: the lower bound
    staged,      // edge rows through page-locked memory of the host, which waits for them
    pageable,    // the same through pageable memory
    copies,      // from device to device, ordered by events
    stores,      // a kernel stores them into the neighbour's memory and counts; no host in between
    kernel,      // the step's own kernel does so: one launch a step
    persistent,  // so does one that stays: one launch for all steps that are asked for
    nccl,        // messages between devices, by NCCL
    mpi,         // messages between ranks, through page-locked memory of the host
};
// Of several places in one process, and of ranks.
inline constexpr ExchangePath exchange_paths[] = {
    ExchangePath::everything, ExchangePath::staged, ExchangePath::pageable,   ExchangePath::copies,
    ExchangePath::stores,     ExchangePath::kernel, ExchangePath::persistent, ExchangePath::nccl};
inline constexpr ExchangePath rank_exchange_paths[] = {ExchangePath::everything, ExchangePath::mpi};

std::string_view name(ExchangePath path);
std::string_view summary(ExchangePath path);  // one line
// Whether rows travel while the middle is computed: as wanted, unless the path leaves no choice.
bool overlaps(ExchangePath path, bool wanted);
// Whether edge rows pass through buffers of the host, and whether it waits for a device while the
// places work.
bool has_border_buffers(ExchangePath path);
bool waits_on_host(ExchangePath path);
// Whether the steps' kernels themselves send edge rows and wait for those of the neighbours.
bool is_by_kernels(ExchangePath path);
// Throws Error(usage) where none of `known` is called so.
ExchangePath exchange_path_named(std::string_view name,
                                 std::span<const ExchangePath> known = exchange_paths);

// What a place allocates: its own rows and its neighbours' edges, or the whole board (as Rustico
// 2012 did).
enum class Allocation : std::uint8_t { slab, whole };

std::string_view name(Allocation allocation);

// What a place has of the board.
enum class Partition : std::uint8_t {
    rows,        // whole rows: what travels is contiguous
    columns,     // whole columns: the counter-example, of which a few bytes of every row travel
    transposed,  // whole columns, which lie in memory as rows: the board is stored transposed
};
inline constexpr Partition partitions[] = {Partition::rows, Partition::columns,
                                           Partition::transposed};

std::string_view name(Partition partition);
// Throws Error(usage) where none is called so.
Partition partition_named(std::string_view name);

// Buffers of the host that each edge has, on paths through its memory.
enum class BorderBuffers : std::uint8_t {
    two,  // in turn: the neighbour may still be fetching what was sent before (Rustico 2012)
    one,  // the host waits a second time, until the neighbour has fetched it
};
// Of which generation the least number of all places is, such as the step that the board can take.
enum class Minimum : std::uint8_t {
    current,
    lagged,  // of the generation before, so that nobody waits for it (Rustico 2012, section 9.2)
};

struct Exchange {
    ExchangePath path = ExchangePath::copies;
    bool overlap = true;  // edges first, and their rows travel while the middle is computed
    BorderBuffers buffers = BorderBuffers::two;
    HostWait host_wait = HostWait::driver;  // for a device, on paths through the host
    Minimum minimum = Minimum::current;
    friend bool operator==(const Exchange&, const Exchange&) = default;
};

// By which rule rows change their place while the places work.
enum class BalanceRule : std::uint8_t {
    none,
    published,  // Rustico 2012, section 8.10: it may move a row to and fro for ever
    improved,   // a row goes back only for a larger imbalance than the one that it came for
};
inline constexpr BalanceRule balance_rules[] = {BalanceRule::published, BalanceRule::improved};

std::string_view name(BalanceRule rule);
BalanceRule balance_rule_named(std::string_view name);  // throws Error(usage) for an unknown name

struct Balancing {
    BalanceRule rule = BalanceRule::none;
    int every = 10;  // generations, after which the places' times are compared
    int rows = 1;    // that change their place at once
    friend bool operator==(const Balancing&, const Balancing&) = default;
};

// Which places are at work on a box of cells that grows (Rustico 2012, section 6.6).
struct Start {
    bool progressive = false;  // one place begins; another joins when all at work are saturated
    int blocks_per_multiprocessor = 10;  // that a saturated place launches
    std::vector<int> multiprocessors;    // of each place; empty: one each, as on the executor
    friend bool operator==(const Start&, const Start&) = default;
};

struct Division {
    std::vector<int> weights;  // one for each place
    Allocation allocation = Allocation::slab;
    int halo_depth = 1;  // generations from exchange to exchange; rows between are computed twice
    // An edge is 1/edge_share of a place's rows in whole blocks of threads, and no less than it
    // sends; 0: exactly the rows that it sends.
    int edge_share = 16;
    Balancing balancing = {};  // with Allocation::whole only
    Partition partition = Partition::rows;
    Start start = {};
};

// A group of places and what they do to a variant.
struct GroupChoice {
    std::vector<int> devices;  // of each place here; on the executor only how many there are counts
    Division division;
    Exchange exchange;

    // Where each rank has one of the places; `devices` is then that of this rank's.
    Communicator* ranks = nullptr;
    std::vector<int> rank_devices;  // of all ranks, where no two share one

    int places() const { return static_cast<int>(division.weights.size()); }
};

}  // namespace camber
