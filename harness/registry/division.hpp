// Division of a variant's board among the devices of a group, and the paths by which the devices
// exchange edge rows. Rustico 2012, chapters 4 and 6.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/queue/queue.hpp"

namespace camber {

class Communicator;

// Path by which a device's edge rows reach its neighbors.
enum class ExchangePath : std::uint8_t {
    everything,  // whole board through the host after every exchange: the lower bound
    staged,      // edge rows through page-locked host memory; the host waits for them
    pageable,    // same as staged, through pageable memory
    copies,      // device-to-device copies, ordered by events
    stores,      // a kernel stores rows and a count into the neighbor's memory; no host involved
    kernel,      // the step's own kernel stores the rows: one launch per step
    persistent,  // a persistent kernel does so: one launch for all requested steps
    nccl,        // messages between devices, by NCCL
    mpi,         // messages between ranks, through page-locked host memory
};
// Paths between devices of one process, and paths between ranks.
inline constexpr ExchangePath exchange_paths[] = {
    ExchangePath::everything, ExchangePath::staged, ExchangePath::pageable,   ExchangePath::copies,
    ExchangePath::stores,     ExchangePath::kernel, ExchangePath::persistent, ExchangePath::nccl};
inline constexpr ExchangePath rank_exchange_paths[] = {ExchangePath::everything, ExchangePath::mpi};

std::string_view name(ExchangePath path);
std::string_view summary(ExchangePath path);  // one line
// Returns true if rows travel while the middle is computed: `wanted`, unless the path allows only
// one order.
bool overlaps(ExchangePath path, bool wanted);
// Return true if edge rows pass through host buffers, and if the host waits for a device during a
// step.
bool has_border_buffers(ExchangePath path);
bool waits_on_host(ExchangePath path);
// Returns true if the step kernels themselves send edge rows and wait for their neighbors' rows.
bool is_by_kernels(ExchangePath path);
// Throws Error(usage) if no path of `known` has this name.
ExchangePath exchange_path_named(std::string_view name,
                                 std::span<const ExchangePath> known = exchange_paths);

// Memory that a device allocates: its own rows and the neighbors' edges, or the whole board (as in
// Rustico 2012).
enum class Allocation : std::uint8_t { slab, whole };

std::string_view name(Allocation allocation);

// Shape of a device's share of the board.
enum class Partition : std::uint8_t {
    rows,        // whole rows: edges are contiguous
    columns,     // whole columns, the counterexample: a few bytes of every row travel
    transposed,  // whole columns, stored as rows: the board is transposed in memory
};
inline constexpr Partition partitions[] = {Partition::rows, Partition::columns,
                                           Partition::transposed};

std::string_view name(Partition partition);
// Throws Error(usage) for an unknown name.
Partition partition_named(std::string_view name);

// Number of host buffers per edge, on paths through host memory.
enum class BorderBuffers : std::uint8_t {
    two,  // used in turn, as the neighbor may still be fetching the previous rows (Rustico 2012)
    one,  // the host waits a second time, until the neighbor has fetched the rows
};
// Generation that supplies the minimum over all devices, such as the time step that the board can
// take.
enum class Minimum : std::uint8_t {
    current,
    lagged,  // previous generation, so that no device waits for it (Rustico 2012, section 9.2)
};

struct Exchange {
    ExchangePath path = ExchangePath::copies;
    bool overlap = true;  // edges first; their rows travel while the middle is computed
    BorderBuffers buffers = BorderBuffers::two;
    // How the host waits for a device, on paths through the host
    HostWait host_wait = HostWait::driver;
    Minimum minimum = Minimum::current;
    friend bool operator==(const Exchange&, const Exchange&) = default;
};

// Rule by which rows move between devices during a run.
enum class BalanceRule : std::uint8_t {
    none,
    published,  // Rustico 2012, section 8.10: a row may oscillate between two devices forever
    improved,   // a row moves back only for a larger imbalance than the one that moved it
};
inline constexpr BalanceRule balance_rules[] = {BalanceRule::published, BalanceRule::improved};

std::string_view name(BalanceRule rule);
BalanceRule balance_rule_named(std::string_view name);  // throws Error(usage) for an unknown name

struct Balancing {
    BalanceRule rule = BalanceRule::none;
    int every = 10;  // generations between two comparisons of the devices' times
    int rows = 1;    // rows that move at once
    friend bool operator==(const Balancing&, const Balancing&) = default;
};

// Number of active devices while the box of active cells grows (Rustico 2012, section 6.6).
struct Start {
    bool progressive =
        false;  // one device begins; another joins once all active ones are saturated
    int blocks_per_multiprocessor = 10;  // launched by a saturated device
    std::vector<int> multiprocessors;    // SMs of each device; empty: one each, as on the executor
    friend bool operator==(const Start&, const Start&) = default;
};

struct Division {
    std::vector<int> weights;  // one per device
    Allocation allocation = Allocation::slab;
    int halo_depth = 1;  // generations between exchanges; the rows in between are computed twice
    // An edge has at least 1/edge_share of a device's rows, in whole thread blocks, and at least
    // the rows that it sends; 0: exactly the rows that it sends.
    int edge_share = 16;
    Balancing balancing = {};  // only with Allocation::whole
    Partition partition = Partition::rows;
    Start start = {};
};

// A group of devices and the way in which they divide a variant's board.
struct GroupChoice {
    std::vector<int> devices;  // devices of this process; on the executor only their number matters
    Division division;
    Exchange exchange;

    // Set if every rank has one of the devices; `devices` then contains this rank's device.
    Communicator* ranks = nullptr;
    std::vector<int> rank_devices;  // of all ranks, if no two ranks share a device

    int places() const { return static_cast<int>(division.weights.size()); }
};

}  // namespace camber
