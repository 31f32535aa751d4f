// Group of devices that compute one board together: their queues and synchronization, timers, and
// the minimum over all devices.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "harness/groups/communicator.hpp"
#include "harness/machine/queue/queue.hpp"
#include "harness/registry/division.hpp"

namespace camber {

// A group of places that compute one board together: devices of a host, the same device several
// times, or places on the executor that have nothing but its threads in common.

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

// How long a queue takes for some of its work, while it goes on with other work.
class PlaceTimer {
  public:
    explicit PlaceTimer(Queue& queue) : queue_(queue) {}

    // What the queue gets between the two counts.
    void start() {
        if (used_ == pieces_.size())
            pieces_.emplace_back(queue_.make_timed_event(), queue_.make_timed_event());
        queue_.record(*pieces_[used_].first);
    }
    void stop() { queue_.record(*pieces_[used_++].second); }
    // Seconds of all since this was last called; waits for them.
    double take() {
        double seconds = 0;
        for (std::size_t i = 0; i < used_; ++i)
            seconds += queue_.seconds_between(*pieces_[i].first, *pieces_[i].second);
        used_ = 0;
        return seconds;
    }

  private:
    Queue& queue_;
    std::vector<std::pair<std::unique_ptr<Event>, std::unique_ptr<Event>>> pieces_;
    std::size_t used_ = 0;
};

// The least of a number that every place of a group has of its own, known to all of them: of the
// steps that each one's rows allow, the one that the board can take.
class GroupMinimum {
  public:
    virtual ~GroupMinimum() = default;
    // Nothing is under way.
    virtual void begin() {}
    // What the places' middle queues have got so far leaves each its number; what they get from now
    // on finds the least in its place.
    virtual void take() = 0;
};

// `numbers`: where each place has its own, in its memory; of the group's first places, where they
// are fewer. They are of type float or double, as `size` says, 4 or 8 bytes, and neither negative
// nor NaN. Paths through the host find the least
// there, as Rustico 2012 did; on the others every place sends its number to every other one.
std::unique_ptr<GroupMinimum> make_group_minimum(ExchangePath path, Group& group,
                                                 std::vector<void*> numbers, std::size_t size);

// The same of the time before: nobody waits for the places' present numbers. Only the first time
// finds the least of those that it is given.
std::unique_ptr<GroupMinimum> make_lagged_minimum(ExchangePath path, Group& group,
                                                  std::vector<void*> numbers, std::size_t size);

}  // namespace camber
