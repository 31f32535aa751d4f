// The order in which queues of the host do their work when there are several of them.
//
// On a device, work of two queues is in no order but where events give one. Here it is put off
// until the host waits for it, and then one queue after another goes on, in an order drawn by lot
// within what events allow: whoever forgets to wait finds wrong values. The queues have priorities
// that change now and then (Burckhardt et al. 2010, "A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs"); the lot is the same in every run.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <vector>

namespace camber {

// Used by one thread of the host. A single queue's work is done at once.
class HostSchedule {
  public:
    using Work = std::function<void()>;
    using Reached = std::shared_ptr<bool>;  // whether the work that an event marks is done

    struct Item {
        Work work;        // empty: to wait
        Reached awaited;  // for this
        // Whether it may begin, by what lies in memory; empty: at any time.
        std::function<bool()> may_begin = {};
    };
    // A queue's work, in order.
    class Lane {
        friend class HostSchedule;
        std::deque<Item> items_;
    };

    Lane& open();
    // Does the lane's work. What it throws is lost.
    void close(Lane& lane) noexcept;

    void add(Lane& lane, Item item);
    // Returns when the lane's work is done; of the others', more or less. A piece of work that
    // throws takes all that is left with it.
    void finish(Lane& lane);
    // Does all work. What it throws is lost.
    void finish_all() noexcept;

  private:
    Lane* next();
    void redraw();

    std::vector<std::unique_ptr<Lane>> lanes_;  // of falling priority
    std::mt19937 random_;
};

}  // namespace camber
