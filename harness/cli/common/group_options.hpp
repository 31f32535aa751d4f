// What commands are told of a group of places: how many, and how they divide a board.
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
    int gpus = 0;                        // 0: one device, and no group
    std::string devices;                 // INDEX[,INDEX...]; "": the first `gpus`
    std::vector<std::string> exchanges;  // names of paths; empty: copies
    std::string overlap = "on";          // on, off or both
    std::string partition = "rows";      // columns or transposed
    std::string weights;                 // NUMBER[,NUMBER...]; "": the same for all
    std::string allocation = "slab";     // slab or whole
    int halo_depth = 1;
    std::string edge = "16";                // what part of a place's rows, or sent
    std::string border_buffers = "double";  // or single
    std::string host_wait = "driver";       // blocking or busy
    std::string minimum = "current";        // or lagged
    std::string balance;                    // a rule; "": rows stay where they are
    int balance_every = 10;                 // generations
    int balance_rows = 1;                   // at once
    std::string start = "all";              // or progressive
    int start_blocks = 10;                  // of a saturated place, per multiprocessor
    bool ranks = false;                     // of processes that mpirun started
    double rank_timeout = 300;              // seconds
    Communicator* communicator = nullptr;   // once they are connected

    void add_to(CLI::App& command);
    // --partition, --balance and its kin, --start and its, for a command that measures.
    void add_partition_to(CLI::App& command);
    void add_balancing_to(CLI::App& command);
    void add_start_to(CLI::App& command);
    // --ranks, for a command that can be one of several processes.
    void add_ranks_to(CLI::App& command);
    // --rank-timeout alone.
    void add_timeout_to(CLI::App& command);
    std::vector<std::string> words() const;  // see words_of()

    // Every exchange that was asked for, on the same places; none where no group is asked for.
    // Throws Error(usage) where the options make no sense together or on this backend.
    std::vector<GroupChoice> choices(Backend backend) const;

  private:
    Balancing balancing() const;
    Start chosen_start() const;
    Exchange exchange_by(ExchangePath path, bool overlap) const;
    void refuse_without_host(const std::vector<ExchangePath>& paths) const;
    void refuse_with_columns() const;
};

}  // namespace camber
