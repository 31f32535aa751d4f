// How long a queue takes for some of its work, while it goes on with other work.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "harness/machine/queue/queue.hpp"

namespace camber {

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

}  // namespace camber
