// A group of places that compute one board together: devices of a host, the same device several
// times, or places on the executor that have nothing but its threads in common.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "harness/groups/communicator.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber {

// What a place does at once: the middle of its rows, and its two edges, whose neighbours wait.
struct Place {
    Queue* middle = nullptr;
    Queue* above = nullptr;
    Queue* below = nullptr;
};

class Group {
  public:
    // `lead`: the middle queue of the first place, which outlives the group. `devices`: of all
    // places on the cuda backend, that of `lead` first; elsewhere only their number counts. Throws
    // Error(unavailable) where a device cannot be used. `ranks`: of which each has such a group of
    // one place; nullptr: no others.
    Group(Queue& lead, std::span<const int> devices, Communicator* ranks = nullptr,
          HostWait host_wait = HostWait::driver);

    virtual ~Group() = default;

    int places() const { return static_cast<int>(places_.size()); }
    const Place& at(int place) const { return places_[static_cast<std::size_t>(place)]; }
    Communicator* ranks() const { return ranks_; }
    // How the host waits for the places.
    HostWait host_wait() const { return host_wait_; }
    std::span<const int> devices() const { return devices_; }  // of each place here
    Queue& lead() const { return *places_.front().middle; }
    // Whether kernels of one place can read and write the memory of the other.
    virtual bool reaches(int place, int other) const;

    // All queues wait for what the lead has been given so far; and the lead for what all have.
    void fork();
    void join();
    // All queues wait for what all have been given so far.
    void meet();
    // Returns when all work of all places is done.
    void synchronize();

  private:
    std::vector<int> devices_;
    Communicator* ranks_;
    HostWait host_wait_;
    std::vector<std::unique_ptr<Queue>> owned_;
    std::vector<Place> places_;
    std::unique_ptr<Event> forked_;
    std::vector<std::unique_ptr<Event>> joined_;  // of owned_
};

}  // namespace camber
