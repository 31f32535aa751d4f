// Command-line options of a group of devices: its size, and how it divides a board.
#pragma once

#include <string>
#include <vector>

#include "harness/machine/queue/queue.hpp"
#include "harness/registry/division.hpp"

namespace CLI {
class App;
}

namespace camber {

struct GroupOptions {
    int gpus = 0;                        // 0: one device without a group
    std::string devices;                 // INDEX[,INDEX...]; "": the first `gpus`
    std::vector<std::string> exchanges;  // names of exchange paths; empty: copies
    std::string overlap = "on";          // on, off or both
    std::string partition = "rows";      // columns or transposed
    std::string weights;                 // NUMBER[,NUMBER...]; "": the same for all
    std::string allocation = "slab";     // slab or whole
    int halo_depth = 1;
    std::string edge = "16";                // fraction of a device's rows (1 / edge), or "sent"
    std::string border_buffers = "double";  // or single
    std::string host_wait = "driver";       // blocking or busy
    std::string minimum = "current";        // or lagged
    std::string balance;                    // a rule; "": rows stay where they are
    int balance_every = 10;                 // interval in generations
    int balance_rows = 1;                   // rows that move at once
    std::string balance_threshold = "0.5";  // share of the time of one slice, or "adaptive"
    std::string divide_by = "work";         // measure of slices: particles or start
    std::string divide_along = "auto";      // axis of slices: x, y or z
    std::string start = "all";              // or progressive
    int start_blocks = 10;                  // blocks per SM of a saturated device
    bool ranks = false;                     // one device per process started by mpirun
    double rank_timeout = 300;              // seconds
    Communicator* communicator = nullptr;   // set after the ranks are connected

    void add_to(CLI::App& command);
    // Add --partition, and --balance and --start with their related options, to a command that
    // measures.
    void add_partition_to(CLI::App& command);
    void add_balancing_to(CLI::App& command);
    void add_start_to(CLI::App& command);
    // Adds --ranks to a command that can run as one of several processes.
    void add_ranks_to(CLI::App& command);
    // Adds only --rank-timeout.
    void add_timeout_to(CLI::App& command);
    std::vector<std::string> words() const;  // see words_of()

    // Every requested exchange, on the same devices; empty if no group is requested. Throws
    // Error(usage) if the options contradict each other or the backend.
    std::vector<GroupChoice> choices(Backend backend) const;

  private:
    Balancing balancing() const;
    Start chosen_start() const;
    Exchange exchange_by(ExchangePath path, bool overlap) const;
    void refuse_without_host(const std::vector<ExchangePath>& paths) const;
    void refuse_with_columns() const;
};

}  // namespace camber
