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

namespace camber::results {

struct GroupRecord;

// Description of the group in result files, as it was chosen, before anything is measured.
GroupRecord recorded(const GroupChoice& group, bool on_device);

}  // namespace camber::results

namespace camber {

// A group of devices that compute one board together: devices of a host, the same device several
// times, or independent parts of the executor that share only its threads

// Queues of one device: for the middle of its rows, and for its two edges, which the neighbors wait
// for.
struct Place {
    Queue* middle = nullptr;
    Queue* above = nullptr;
    Queue* below = nullptr;
};

class Group {
  public:
    // `lead`: the middle queue of the first device, which outlives the group. `devices`: all
    // devices on the cuda backend, beginning with the device of `lead`; on other backends only
    // their number matters. `ranks`: ranks that each have such a group of one device; nullptr: one
    // process. Throws Error(unavailable) if a device cannot be used.
    Group(Queue& lead, std::span<const int> devices, Communicator* ranks = nullptr,
          HostWait host_wait = HostWait::driver);

    virtual ~Group() = default;

    int places() const { return static_cast<int>(places_.size()); }
    const Place& at(int place) const { return places_[static_cast<std::size_t>(place)]; }
    Communicator* ranks() const { return ranks_; }
    // How the host waits for the devices.
    HostWait host_wait() const { return host_wait_; }
    std::span<const int> devices() const { return devices_; }  // of this process
    Queue& lead() const { return *places_.front().middle; }
    // Returns true if kernels on device `place` can read and write the memory of device `other`.
    virtual bool reaches(int place, int other) const;

    // fork(): all queues wait for the work enqueued on the lead queue so far. join(): the lead
    // queue waits for the work on all queues.
    void fork();
    void join();
    // All queues wait for the work enqueued on all queues so far.
    void meet();
    // Returns when all work of all devices is done.
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

// Measures the time that a queue takes for selected pieces of its work, while it continues with
// other work.
class PlaceTimer {
  public:
    explicit PlaceTimer(Queue& queue) : queue_(queue) {}

    // Marks the beginning of a piece of work on the queue.
    void start() {
        if (used_ == pieces_.size())
            pieces_.emplace_back(queue_.make_event(true), queue_.make_event(true));
        queue_.record(*pieces_[used_].first);
    }
    void stop() { queue_.record(*pieces_[used_++].second); }
    // Returns the total seconds since the last call; waits for the work.
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

// The minimum of one number per device, made available on all devices: for instance the largest
// time step that the rows of all devices allow.
class GroupMinimum {
  public:
    virtual ~GroupMinimum() = default;
    // Called while nothing is in flight.
    virtual void begin() {}
    // Enqueues the minimum: work enqueued before on the devices' middle queues produces the
    // numbers; work enqueued afterwards finds the minimum in their place.
    virtual void take() = 0;
};

// `numbers`: address of each device's own number in its memory; if there are fewer, only the
// group's first devices have one. The numbers are of type float or double, as `size` (4 or 8 bytes)
// says, and neither negative nor NaN. Paths through the host compute the minimum there, as in
// Rustico 2012; on other paths every device sends its number to all others.
std::unique_ptr<GroupMinimum> make_group_minimum(ExchangePath path, Group& group,
                                                 std::vector<void*> numbers, std::size_t size);

// Returns the minimum of the previous round, so that no device waits for the current numbers. Only
// the first round returns the minimum of its own numbers.
std::unique_ptr<GroupMinimum> make_lagged_minimum(ExchangePath path, Group& group,
                                                  std::vector<void*> numbers, std::size_t size);

}  // namespace camber
